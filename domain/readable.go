package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// How much of what a model wrote a person is shown, in characters.
const (
	maxReadableName      = 200
	maxReadableArgument  = 500
	maxReadableArguments = 3000
)

// maxQuotedName is how many characters of a name a text of the workbench has.
const maxQuotedName = 80

// QuotedName returns a name as a text of the workbench has it, for a model or a person: between
// single quotation marks, on one line, with escapes for what is not seen (Unseen), quotation
// marks and backslashes, and cut, since it may be a server that chose it. Names of letters,
// digits and signs stay as they are.
func QuotedName[Name ~string](name Name) string {
	shown := cutText{max: maxQuotedName + len("'"), mark: '\''}
	shown.quoted(string(name))
	return shown.String()
}

// ListedName returns a name for a list of names: as it is if that cannot be mistaken for
// anything else, otherwise as QuotedName has it.
func ListedName[Name ~string](name Name) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@$", r)
	}
	if name != "" && len(name) <= maxQuotedName && strings.IndexFunc(string(name), func(r rune) bool { return !isPlain(r) }) < 0 {
		return string(name)
	}
	return QuotedName(name)
}

// readableName returns a name in quotation marks.
func readableName(name string) string {
	shown := cutText{max: maxReadableName}
	shown.quoted(name)
	return shown.String()
}

// readableArguments returns the members of a JSON object, a line each, with values as
// JSON. Where something is left out, the line says how many characters.
func readableArguments(object json.RawMessage) []string {
	var lines []string
	left, more, hidden := maxReadableArguments, 0, 0
	err := eachArgument(object, func(argument *cutText) {
		if argument.shown > left {
			more++
			hidden += argument.shown + argument.hidden
			return
		}
		left -= argument.shown
		lines = append(lines, argument.String())
	})
	if err != nil {
		// What cannot be read as JSON is shown as it is.
		whole := cutText{max: maxReadableArguments}
		whole.quoted(string(object))
		return []string{whole.String()}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… %s with %s", counted(more, "more argument"), counted(hidden, "character")))
	}
	return lines
}

// eachArgument visits the members of an object, each written as JSON.
func eachArgument(object json.RawMessage, visit func(*cutText)) error {
	decoder := json.NewDecoder(strings.NewReader(string(object)))
	decoder.UseNumber()
	token, err := decoder.Token()
	if err != nil || token != json.Delim('{') {
		return errors.New("it is no object")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("read a name: %w", err)
		}
		argument := &cutText{max: maxReadableArgument}
		argument.quoted(name.(string)) // a key is a string
		argument.plain(": ")
		if err := writeValue(argument, decoder); err != nil {
			return err
		}
		visit(argument)
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("read its end: %w", err)
	}
	return nil
}

// writeValue writes the next value of the decoder. It does not recurse, however deep the
// value is.
func writeValue(to *cutText, decoder *json.Decoder) error {
	type container struct {
		isObject bool
		written  int // names and values
	}
	var open []container
	for {
		token, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("read a value: %w", err)
		}
		end := token == json.Delim('}') || token == json.Delim(']')
		if depth := len(open); depth > 0 && !end {
			in := &open[depth-1]
			switch {
			case in.isObject && in.written%2 == 1:
				to.plain(": ")
			case in.written > 0:
				to.plain(", ")
			}
			in.written++
		}
		switch value := token.(type) {
		case json.Delim:
			to.plain(value.String())
			if end {
				open = open[:len(open)-1]
			} else {
				open = append(open, container{isObject: value == '{'})
			}
		case string:
			to.quoted(value)
		case nil:
			to.plain("null")
		default:
			to.plain(fmt.Sprint(value)) // a number as it is written, true or false
		}
		if len(open) == 0 {
			return nil
		}
	}
}

// cutText is text of which no more than a number of characters is kept.
type cutText struct {
	max           int
	text          strings.Builder
	shown, hidden int
	open          bool // the text that is kept ends between quotation marks
	mark          rune // the quotation mark, '"' for the zero value
}

// plain adds text that no quotation marks need to set apart.
func (c *cutText) plain(text string) {
	for _, r := range text {
		c.add(string(r))
	}
}

// quoted adds text in quotation marks.
func (c *cutText) quoted(text string) {
	if c.mark == 0 {
		c.mark = '"'
	}
	c.open = c.add(string(c.mark))
	for _, r := range text {
		c.add(readableRune(r, c.mark))
	}
	c.close()
}

// close ends what is between quotation marks. The mark is not left out with the text.
func (c *cutText) close() {
	if c.open {
		_, _ = c.text.WriteRune(c.mark) // a builder cannot fail
		c.shown++
		c.open = false
	}
}

// add adds a character or an escape, whole or not at all, and reports whether it is kept.
func (c *cutText) add(piece string) bool {
	length := utf8.RuneCountInString(piece)
	if c.hidden > 0 || c.shown+length > c.max {
		c.hidden += length
		return false
	}
	c.shown += length
	_, _ = c.text.WriteString(piece) // likewise
	return true
}

// String returns the text, and behind it how much is left out.
func (c *cutText) String() string {
	if c.hidden == 0 {
		return c.text.String()
	}
	return fmt.Sprintf("%s … %s", c.text.String(), counted(c.hidden, "more character"))
}

// counted returns a number of things: "2 more characters".
func counted(count int, thing string) string {
	if count == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", count, thing)
}

// readableRune returns a character as it is shown between two of the quotation mark.
func readableRune(r, mark rune) string {
	switch {
	case r == mark || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case !Unseen(r):
		return string(r)
	}
	return escaped(r)
}
