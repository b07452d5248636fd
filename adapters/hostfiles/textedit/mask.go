package textedit

import (
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// MaskJSON is the Mask of JSON.
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
