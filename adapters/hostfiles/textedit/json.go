package textedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain/rawjson"
)

// SetJSON is the Set of JSON. An existing member keeps its place. A new one becomes the last of its object, in the layout of
// the text. Comments, trailing commas and a byte order mark are accepted.
func SetJSON(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	return editJSON(text, func(document *jsonDocument) ([]byte, error) { return document.set(path, value) })
}

// DeleteJSON is the Delete of JSON. Comments before the member stay.
func DeleteJSON(text []byte, path []string) ([]byte, error) {
	return editJSON(text, func(document *jsonDocument) ([]byte, error) { return document.remove(path) })
}

// editJSON edits a text without its byte order mark, and checks the result.
func editJSON(text []byte, edit func(*jsonDocument) ([]byte, error)) ([]byte, error) {
	document, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	edited, err := edit(document)
	if err != nil {
		return nil, err
	}
	if _, err := parseJSON(edited); err != nil {
		return nil, fmt.Errorf("%w: the edit would break it", ErrNotEditable)
	}
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		edited = append([]byte(byteOrderMark), edited...)
	}
	return edited, nil
}

// jsonDocument is a parsed text, without its byte order mark.
type jsonDocument struct {
	text   []byte
	layout layout
	root   hujson.Value
}

func parseJSON(text []byte) (*jsonDocument, error) {
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, problem := rawjson.ParseCommented(text)
	if problem != nil {
		line, column := rawjson.Position(text, problem.Offset)
		return nil, fmt.Errorf("%w: it is not JSON at line %d, column %d: found %s, want %s", ErrSyntax, line, column, problem.Found, problem.Wanted)
	}
	if root.Value.Kind() != '{' {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrSyntax)
	}
	root.AfterExtra = hujson.Extra(text[root.EndOffset:]) // without the line end that Parse adds
	return &jsonDocument{text: text, layout: layoutOf(text), root: root}, nil
}

// find follows the path as far as it exists. It returns the last object on it, and the depth of
// that object.
func (d *jsonDocument) find(path []string) (in hujson.Value, depth int, err error) {
	in = d.root
	for depth, name := range path {
		index := memberIndex(in, name)
		if index < 0 {
			return in, depth, nil
		}
		next := members(in)[index].Value
		if next.Value.Kind() != '{' {
			return in, depth, fmt.Errorf("%w: %q is not an object", ErrNotEditable, at(path[:depth+1]))
		}
		in = next
	}
	return in, len(path), nil
}

// member returns the member at a path.
//
// Failures: ErrNotFound; ErrNotEditable if something on the way is not an object.
func (d *jsonDocument) member(path []string) (*hujson.ObjectMember, error) {
	in, depth, err := d.find(path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	if index := memberIndex(in, path[depth]); index >= 0 && depth == len(path)-1 {
		return &members(in)[index], nil
	}
	return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
}

// members returns the members of an object.
func members(object hujson.Value) []hujson.ObjectMember { return object.Value.(*hujson.Object).Members }

// memberIndex returns the index of the last member of that name, or -1. Programs that accept
// several use the last one.
func memberIndex(in hujson.Value, name string) int {
	for i, member := range slices.Backward(members(in)) {
		if isNamed(member, name) {
			return i
		}
	}
	return -1
}

func isNamed(member hujson.ObjectMember, name string) bool {
	literal, ok := member.Name.Value.(hujson.Literal)
	return ok && literal.String() == name
}
