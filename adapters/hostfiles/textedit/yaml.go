package textedit

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/token"
)

// yamlDocument is a parsed text, without its byte order mark.
type yamlDocument struct {
	text   []byte
	layout layout
	root   *yamlNode
}

// readYAML is the Read of YAML.
func readYAML(text []byte, path []string) ([]Member, error) {
	d, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	in := d.root
	for depth, name := range path {
		if in = in.value(name); in == nil || in.isNull() {
			return nil, nil
		}
		if in.kind != yamlMapping && in.kind != yamlList {
			return nil, fmt.Errorf("%w: %q is not a mapping", ErrNotEditable, at(path[:depth+1]))
		}
	}
	var read []Member
	for _, entry := range in.members() {
		text, err := entry.value.json()
		if err != nil {
			return nil, fmt.Errorf("%w: %q has a value that is too large, or that JSON does not have", ErrNotEditable, at(append(path[:len(path):len(path)], entry.name)))
		}
		read = append(read, Member{Name: entry.name, Value: text})
	}
	return read, nil
}

// parseYAML parses a text with one document whose root is a mapping, or an empty one. Its failures do not
// show the text.
func parseYAML(text []byte) (*yamlDocument, error) {
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	d := &yamlDocument{text: text, layout: layoutOf(text), root: &yamlNode{kind: yamlMapping}}
	roots, err := readNodes(text)
	switch {
	case errors.Is(err, ErrSyntax):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: it is not YAML%s", ErrSyntax, placeInYAML(err))
	case len(roots) > 1:
		return nil, fmt.Errorf("%w: it is not one YAML document", ErrSyntax)
	case len(roots) == 1 && !roots[0].isNull():
		d.root = roots[0]
	}
	if d.root.kind != yamlMapping {
		return nil, fmt.Errorf("%w: it is not a YAML mapping", ErrSyntax)
	}
	return d, nil
}

// placeInYAML returns the place of a failure of the parser, for a message.
func placeInYAML(err error) string {
	var wrong interface{ GetToken() *token.Token }
	if !errors.As(err, &wrong) || wrong.GetToken() == nil || wrong.GetToken().Position == nil {
		return ""
	}
	place := wrong.GetToken().Position
	return fmt.Sprintf(" at line %d, column %d%s", place.Line, place.Column, twice(err))
}

// twice returns which key a failure of a parser names as one that is there twice, for a message; "" for another failure.
func twice(err error) string {
	found := regexp.MustCompile(`(?:key|table) "?([^"\n]+?)"? (?:is )?already (?:defined|exists)`).FindStringSubmatch(err.Error())
	if found == nil {
		return ""
	}
	return fmt.Sprintf(": %q is there twice", found[1])
}

// maskYAML is the Mask of YAML.
func maskYAML(text []byte, show func(Value) string) []byte {
	d, err := parseYAML(text)
	if err != nil {
		return nil
	}
	var values []located
	d.root.collect(Value{}, &values)
	return masked(d.text, values, show)
}

// collect appends the values in a node. Those of an alias are at its anchor.
func (n *yamlNode) collect(at Value, found *[]located) {
	if n.isAlias || n.isNull() {
		return
	}
	for i, member := range n.members() {
		value := Value{Path: append(slices.Clip(at.Path), member.name)}
		if n.kind == yamlList {
			value.Path[len(at.Path)] = strconv.Itoa(i)
		}
		member.value.collect(value, found)
	}
	if at.Text = n.text; n.kind == yamlScalar {
		*found = append(*found, located{at, part{n.start, n.end}})
	}
}
