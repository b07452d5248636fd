package wording

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// How many characters of what a model wrote a person is shown.
const (
	maxReadableName      = 200
	maxReadableArgument  = 500
	maxReadableArguments = 3000
)

// ConfirmationQuestion returns the question for a person to read. Names and arguments, which come
// from servers and models, are between quotation marks and on one line: control characters, and
// what reorders or hides text, are shown as escapes.
func ConfirmationQuestion(q domain.ConfirmationQuestion) string {
	var text strings.Builder
	text.WriteString(domain.WorkbenchAsks + "\nA call needs your yes. The tool is called only if you allow it.\n")
	fmt.Fprintf(&text, "Tool: %s\n", readableName(q.Tool.Tool))
	fmt.Fprintf(&text, "Server: %s in the toolbox %s\n", readableName(string(q.Tool.Server)), readableName(string(q.Tool.Toolbox)))
	lines := readableArguments(q.Arguments)
	if len(lines) == 0 {
		text.WriteString("Arguments: none")
		return text.String()
	}
	text.WriteString("Arguments:")
	for _, line := range lines {
		text.WriteString("\n  " + line)
	}
	return text.String()
}

// readableName returns a name in quotation marks.
func readableName(name string) string {
	shown := domain.NewLimitedText(maxReadableName)
	shown.Quote(name)
	return shown.String()
}

// readableArguments returns the members of a JSON object, a line each, with values as
// JSON. Where something is left out, the line says how many characters.
func readableArguments(object json.RawMessage) []string {
	var lines []string
	left, more, hidden := maxReadableArguments, 0, 0
	err := eachArgument(object, func(argument *domain.LimitedText) {
		if argument.Shown() > left {
			more++
			hidden += argument.Shown() + argument.Hidden()
			return
		}
		left -= argument.Shown()
		lines = append(lines, argument.String())
	})
	if err != nil {
		// What cannot be read as JSON is shown as it is.
		whole := domain.NewLimitedText(maxReadableArguments)
		whole.Quote(string(object))
		return []string{whole.String()}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… %s with %s", domain.Counted(more, "more argument"), domain.Counted(hidden, "character")))
	}
	return lines
}

// eachArgument visits the members of an object, each written as JSON.
func eachArgument(object json.RawMessage, visit func(*domain.LimitedText)) error {
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
		argument := domain.NewLimitedText(maxReadableArgument)
		argument.Quote(name.(string)) // a key is a string
		argument.Add(": ")
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
func writeValue(to *domain.LimitedText, decoder *json.Decoder) error {
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
				to.Add(": ")
			case in.written > 0:
				to.Add(", ")
			}
			in.written++
		}
		switch value := token.(type) {
		case json.Delim:
			to.Add(value.String())
			if end {
				open = open[:len(open)-1]
			} else {
				open = append(open, container{isObject: value == '{'})
			}
		case string:
			to.Quote(value)
		case nil:
			to.Add("null")
		default:
			to.Add(fmt.Sprint(value)) // a number as it is written, true or false
		}
		if len(open) == 0 {
			return nil
		}
	}
}
