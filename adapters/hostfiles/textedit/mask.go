package textedit

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// Value is a value in a text that is neither an object nor a list.
type Value struct {
	// Path leads to the value: names of members, and indexes of elements.
	Path []string
	// Text is the value of a string, and any other value as it is written.
	Text string
	// Before is the Text of the element before it in a list, "" for none.
	Before string
}

// MaskJSON returns the text with each value replaced by the text that show returns for it.
// Objects and lists keep their form. It is for showing texts that may contain secrets. The
// result is nil for a text that cannot be parsed.
func MaskJSON(text []byte, show func(Value) string) []byte {
	document, err := parseJSON(text)
	if err != nil {
		return nil
	}
	var values []replacement
	collect(document.root, Value{}, show, &values)
	return replaced(document.text, values)
}

// replacement is a part of a text, and what is shown in its place.
type replacement struct {
	part
	shown string
}

// collect appends the replacements of values, in their order.
func collect(value hujson.Value, at Value, show func(Value) string, found *[]replacement) {
	below := func(name string) []string { return append(slices.Clip(at.Path), name) }
	switch v := value.Value.(type) {
	case *hujson.Object:
		for _, member := range v.Members {
			if name, ok := member.Name.Value.(hujson.Literal); ok {
				collect(member.Value, Value{Path: below(name.String())}, show, found)
			}
		}
	case *hujson.Array:
		before := ""
		for i, element := range v.Elements {
			collect(element, Value{Path: below(strconv.Itoa(i)), Before: before}, show, found)
			before = ""
			if literal, ok := element.Value.(hujson.Literal); ok {
				before = literal.String()
			}
		}
	case hujson.Literal:
		at.Text = v.String()
		if shown := show(at); shown != at.Text {
			*found = append(*found, replacement{part{start: value.StartOffset, end: value.EndOffset}, quote(shown)})
		}
	}
}

// MaskTOML returns a text with the values of the keys that hides reports replaced by mask.
// Arrays and inline tables are one value. The result is nil for a text that
// cannot be parsed.
func MaskTOML(text []byte, mask string, hides func(path []string) bool) []byte {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if _, err := parseTOML(text); err != nil {
		return nil
	}
	var values []replacement
	for expression := range tomlExpressions(text) {
		if expression.isKey && hides(expression.path) {
			start := expression.nameEnd + bytes.IndexByte(text[expression.nameEnd:expression.end], '=') + 1
			values = append(values, replacement{part{start: start, end: expression.end}, " " + quote(mask)})
		}
	}
	return replaced(text, values)
}

func replaced(text []byte, values []replacement) []byte {
	slices.SortStableFunc(values, func(a, b replacement) int { return a.start - b.start })
	result := make([]byte, 0, len(text))
	last := 0
	for _, value := range values {
		if value.start < last {
			continue // it is inside one that is replaced
		}
		result = append(append(result, text[last:value.start]...), value.shown...)
		last = value.end
	}
	return append(result, text[last:]...)
}
