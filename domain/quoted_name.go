package domain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxQuotedName is the length of a name in texts of the workbench, in characters.
const maxQuotedName = 80

// maxQuotedAddress is the same for an address.
const maxQuotedAddress = 500

// QuotedName returns a name for texts of the workbench that a model or a user reads: in single
// quotation marks, on one line, with escapes for invisible characters (Unseen), quotation marks and
// backslashes. Long names are cut, since a server may have chosen them.
func QuotedName[Name ~string](name Name) string {
	shown := LimitedText{max: maxQuotedName + len("'"), mark: '\''}
	shown.Quote(string(name))
	return shown.String()
}

// QuotedAddress is QuotedName for the address of a resource, the id of a task and the like, which are longer than names.
func QuotedAddress(address string) string {
	shown := LimitedText{max: maxQuotedAddress + len("'"), mark: '\''}
	shown.Quote(address)
	return shown.String()
}

// ListedName returns a name for a list of names: unchanged if it is unambiguous, quoted by QuotedName
// otherwise.
func ListedName[Name ~string](name Name) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@$", r)
	}
	if name != "" && len(name) <= maxQuotedName && strings.IndexFunc(string(name), func(r rune) bool { return !isPlain(r) }) < 0 {
		return string(name)
	}
	return QuotedName(name)
}

// FirstNames returns a list of names with at most that many of them, each as show returns it, and the number of the
// others: "a, b and 3 more".
func FirstNames[Name any](names []Name, limit int, show func(Name) string) string {
	shown := make([]string, min(len(names), limit))
	for i := range shown {
		shown[i] = show(names[i])
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// LimitedText is the beginning of a text, up to a limit. It is not safe for concurrent use.
type LimitedText struct {
	max           int
	text          strings.Builder
	shown, hidden int
	open          bool // the kept text ends inside quotation marks
	mark          rune
}

// NewLimitedText returns an empty text that keeps that many characters.
func NewLimitedText(characters int) *LimitedText { return &LimitedText{max: characters, mark: '"'} }

// Shown returns how many characters are kept.
func (c *LimitedText) Shown() int { return c.shown }

// Hidden returns how many characters are not kept.
func (c *LimitedText) Hidden() int { return c.hidden }

// Add adds text unchanged.
func (c *LimitedText) Add(text string) {
	for _, r := range text {
		c.addPiece(string(r))
	}
}

// Quote adds text in quotation marks, with escapes for invisible characters (Unseen).
func (c *LimitedText) Quote(text string) {
	c.open = c.addPiece(string(c.mark))
	for _, r := range text {
		c.addPiece(readableRune(r, c.mark))
	}
	c.close()
}

// close ends quoted text. The closing mark is kept whenever the opening one is.
func (c *LimitedText) close() {
	if c.open {
		_, _ = c.text.WriteRune(c.mark) // a builder cannot fail
		c.shown++
		c.open = false
	}
}

// addPiece adds a character or an escape, whole or not at all, and reports whether it is kept.
func (c *LimitedText) addPiece(piece string) bool {
	length := utf8.RuneCountInString(piece)
	if c.hidden > 0 || c.shown+length > c.max {
		c.hidden += length
		return false
	}
	c.shown += length
	_, _ = c.text.WriteString(piece) // a builder cannot fail
	return true
}

// String returns the kept text, and how much was left out.
func (c *LimitedText) String() string {
	if c.hidden == 0 {
		return c.text.String()
	}
	return fmt.Sprintf("%s … %s", c.text.String(), Counted(c.hidden, "more character"))
}

// Counted returns a count with its noun: "2 more characters".
func Counted(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}

// readableRune returns a character as it is written between two quotation marks.
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
