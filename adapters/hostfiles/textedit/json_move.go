package textedit

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tailscale/hujson"
)

// MoveJSON returns the text with a member moved to another path. Its value keeps every comment in it
// and gets the indentation of its new place. A member that exists there is replaced; missing objects
// on the way are created. Comments beside the member stay where they were.
//
// Failures: ErrSyntax; ErrNotFound; ErrNotEditable if something on the way is not an object.
func MoveJSON(text []byte, from, to []string) ([]byte, error) {
	if slices.Equal(from[:len(from)-1], to[:len(to)-1]) {
		return renameJSON(text, from, to[len(to)-1])
	}
	document, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	member, err := document.member(from)
	if err != nil {
		return nil, err
	}
	value := document.text[member.Value.StartOffset:member.Value.EndOffset]
	indent := document.lineIndent(member.Name.StartOffset)
	// A short value marks the place, in the layout of the text.
	edited, err := SetJSON(text, to, []byte("{}"))
	if err != nil {
		return nil, err
	}
	edited, err = editJSON(edited, func(document *jsonDocument) ([]byte, error) {
		placed, err := document.member(to)
		if err != nil {
			return nil, err
		}
		placed.Value.Value = hujson.Literal(reindented(value, indent, document.lineIndent(placed.Name.StartOffset)))
		return document.root.Pack(), nil
	})
	if err != nil {
		return nil, err
	}
	return DeleteJSON(edited, from)
}

// renameJSON gives a member another name where it is.
func renameJSON(text []byte, path []string, name string) ([]byte, error) {
	return editJSON(text, func(document *jsonDocument) ([]byte, error) {
		member, err := document.member(path)
		if err != nil {
			return nil, err
		}
		member.Name.Value = hujson.Literal(quote(name))
		return document.root.Pack(), nil
	})
}

// reindented returns a value with another indentation of the lines after the first.
func reindented(value []byte, before, after string) string {
	var out bytes.Buffer
	first := true
	for line := range bytes.Lines(value) {
		if rest, found := bytes.CutPrefix(line, []byte(before)); found && !first && len(bytes.TrimSpace(line)) > 0 {
			out.WriteString(after)
			line = rest
		}
		out.Write(line)
		first = false
	}
	return out.String()
}

// MapJSON returns the text with the string at the path, or each string in the list there, replaced
// by what the function returns for it. Every other byte stays. If the path does not exist, the text
// is returned unchanged.
//
// Failures: ErrSyntax; ErrNotEditable if something on the way is not an object.
func MapJSON(text []byte, path []string, replaced func(string) string) ([]byte, error) {
	return editJSON(text, func(document *jsonDocument) ([]byte, error) {
		member, err := document.member(path)
		if errors.Is(err, ErrNotFound) {
			return document.text, nil
		}
		if err != nil {
			return nil, err
		}
		replace := func(value *hujson.Value) {
			if text, ok := value.Value.(hujson.Literal); ok && text.Kind() == '"' && replaced(text.String()) != text.String() {
				value.Value = hujson.Literal(quote(replaced(text.String())))
			}
		}
		replace(&member.Value)
		if list, isList := member.Value.Value.(*hujson.Array); isList {
			for i := range list.Elements {
				replace(&list.Elements[i])
			}
		}
		return document.root.Pack(), nil
	})
}
