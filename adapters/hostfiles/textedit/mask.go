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
	var values []located
	collect(document.root, Value{}, &values)
	return masked(document.text, values, show)
}

// located is a value with its place in a text.
type located struct {
	Value
	part
}

// collect appends the values in a value.
func collect(value hujson.Value, at Value, found *[]located) {
	below := func(name string) []string { return append(slices.Clip(at.Path), name) }
	switch v := value.Value.(type) {
	case *hujson.Object:
		for _, member := range v.Members {
			if name, ok := member.Name.Value.(hujson.Literal); ok {
				collect(member.Value, Value{Path: below(name.String())}, found)
			}
		}
	case *hujson.Array:
		for i, element := range v.Elements {
			collect(element, Value{Path: below(strconv.Itoa(i))}, found)
		}
	case hujson.Literal:
		at.Text = v.String()
		*found = append(*found, located{at, part{start: value.StartOffset, end: value.EndOffset}})
	}
}

// masked returns a text with what is shown in place of its values.
func masked(text []byte, values []located, show func(Value) string) []byte {
	slices.SortStableFunc(values, func(a, b located) int { return a.start - b.start })
	result := make([]byte, 0, len(text))
	last := 0
	for _, value := range values {
		shown := show(value.Value)
		if shown == value.Text || value.start < last { // it is inside one that is replaced
			continue
		}
		result = append(append(result, text[last:value.start]...), quote(shown)...)
		last = value.end
	}
	return append(result, text[last:]...)
}
