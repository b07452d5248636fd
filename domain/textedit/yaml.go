package textedit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// yamlDocument is a parsed text, without its byte order mark. Lines count from 0.
type yamlDocument struct {
	text   []byte
	layout layout
	// starts are the offsets of the lines, with that of the end of the text.
	starts []int
	root   *yamlNode
	// filled are the lines on which nodes start, in their order; nil before they are needed.
	filled []int
	// last is the place that offset found last, from which it finds the next one on the line.
	last struct{ line, column, offset int }
}

// ReadYAML returns the members of the mapping at the path, or the elements of the list there, which are
// named by their member "name", in the order of the text. It returns none if the path does not exist.
//
// Failures: ErrSyntax; ErrNotEditable if something on the way has another form.
func ReadYAML(text []byte, path []string) ([]Member, error) {
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
	for _, entry := range d.entries(in) {
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
	d := &yamlDocument{text: text, layout: layoutOf(text), starts: lineStarts(text), root: &yamlNode{kind: yamlMapping}}
	roots, err := readNodes(text)
	unreadable, isUnreadable := errors.AsType[unreadableYAMLError](err)
	switch {
	case isUnreadable:
		return nil, fmt.Errorf("%w: %w", ErrSyntax, unreadable)
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
	return fmt.Sprintf(" at line %d, column %d", place.Line, place.Column)
}

// lineStarts returns the offsets of the lines of a text, and that of its end.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for line := range bytes.Lines(text) {
		starts = append(starts, starts[len(starts)-1]+len(line))
	}
	return starts
}

// line returns the text of a line with its end, "" after the last one.
func (d *yamlDocument) line(number int) string {
	if number+1 >= len(d.starts) {
		return ""
	}
	return string(d.text[d.starts[number]:d.starts[number+1]])
}

// offset returns where a node starts.
func (d *yamlDocument) offset(node *yamlNode) int {
	line := min(node.line, len(d.starts)-1)
	if line != d.last.line || node.column < d.last.column {
		d.last.line, d.last.column, d.last.offset = line, 0, d.starts[line]
	}
	end := d.starts[min(line+1, len(d.starts)-1)]
	for d.last.column < node.column && d.last.offset < end {
		_, size := utf8.DecodeRune(d.text[d.last.offset:end])
		d.last.offset += size
		d.last.column++
	}
	return d.last.offset
}

// yamlEntry is a member of a mapping, or an element of a list.
type yamlEntry struct {
	name  string
	value *yamlNode
	// line is where it starts, and indent the column of its key or dash there, -1 if other
	// things are before it on the line.
	line, indent int
}

// entries returns the members of a mapping, or the elements of a list.
func (d *yamlDocument) entries(in *yamlNode) []yamlEntry {
	var entries []yamlEntry
	if in.kind == yamlList {
		for _, element := range in.nodes {
			entry := yamlEntry{value: element.resolved(), line: element.line, indent: -1}
			if name := entry.value.value("name"); name != nil {
				entry.name = name.text
			}
			before := d.text[d.starts[entry.line]:d.offset(element)]
			if dash := bytes.TrimLeft(before, " "); string(bytes.TrimSpace(dash)) == "-" {
				entry.indent = len(before) - len(dash)
			}
			entries = append(entries, entry)
		}
		return entries
	}
	for i := 0; in.kind == yamlMapping && i+1 < len(in.nodes); i += 2 {
		key := in.nodes[i]
		entry := yamlEntry{name: key.text, value: in.nodes[i+1].resolved(), line: key.line, indent: -1}
		if before := d.text[d.starts[entry.line]:d.offset(key)]; len(bytes.Trim(before, " ")) == 0 {
			entry.indent = len(before)
		}
		entries = append(entries, entry)
	}
	return entries
}

// endOf returns the line after a node: the one in which the next node of the text starts.
func (d *yamlDocument) endOf(node *yamlNode) int {
	last := 0
	node.walk(func(n *yamlNode) { last = max(last, n.line) })
	if d.filled == nil {
		d.root.walk(func(n *yamlNode) { d.filled = append(d.filled, n.line) })
		slices.Sort(d.filled)
	}
	if next, _ := slices.BinarySearch(d.filled, last+1); next < len(d.filled) {
		return min(d.filled[next], len(d.starts)-1)
	}
	return len(d.starts) - 1
}
