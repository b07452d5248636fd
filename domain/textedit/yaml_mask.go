package textedit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// MaskYAML returns the text with each value replaced by the text that show returns for it, as MaskJSON does.
// A value whose end is not certain is replaced up to the line of the next one. The result is nil for a text
// that cannot be parsed, or if a value is not where the parser says.
func MaskYAML(text []byte, show func(Value) string) []byte {
	d, err := parseYAML(text)
	if err != nil {
		return nil
	}
	var values []replacement
	if !d.collect(d.root, Value{}, show, &values) {
		return nil
	}
	return replaced(d.text, values)
}

// collect appends the replacements of values, in their order. It reports whether all were found.
func (d *yamlDocument) collect(node *yamlNode, at Value, show func(Value) string, found *[]replacement) bool {
	below := func(name string) []string { return append(slices.Clip(at.Path), name) }
	switch node.kind {
	case yamlMapping:
		for i := 0; i+1 < len(node.nodes); i += 2 {
			if !d.collect(node.nodes[i+1], Value{Path: below(node.nodes[i].text)}, show, found) {
				return false
			}
		}
	case yamlList:
		before := ""
		for i, element := range node.nodes {
			if !d.collect(element, Value{Path: below(strconv.Itoa(i)), Before: before}, show, found) {
				return false
			}
			before = element.text
		}
	case yamlScalar:
		if at.Text = node.text; node.isNull() {
			return true
		}
		if shown := show(at); shown != at.Text {
			start := d.offset(node)
			if !node.isAt(d.text[start:]) {
				return false
			}
			*found = append(*found, replacement{part{start: start, end: d.endOfScalar(node, start)}, quote(shown)})
		}
	}
	return true
}

// isAt reports whether a text begins as a scalar is written.
func (n *yamlNode) isAt(text []byte) bool {
	first := func(set string) bool { return len(text) > 0 && strings.IndexByte(set, text[0]) >= 0 }
	word, _, _ := strings.Cut(strings.TrimSpace(n.text), " ")
	switch {
	case n.anchor != "" || n.tag != "":
		return first("&!")
	case n.quote == '|':
		return first("|>")
	case n.quote != 0:
		return first(string(n.quote))
	}
	return bytes.HasPrefix(text, []byte(word))
}

// endOfScalar returns the offset after a scalar.
func (d *yamlDocument) endOfScalar(node *yamlNode, start int) int {
	rest := d.text[start:]
	switch {
	case node.quote == 0 && node.tag == "" && node.anchor == "" && bytes.HasPrefix(rest, []byte(node.text)):
		return start + len(node.text)
	case node.quote == '"' && rest[0] == '"':
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return start + i + 1
			}
		}
	case node.quote == '\'' && rest[0] == '\'':
		for i := 1; i < len(rest); i++ {
			if rest[i] != '\'' {
				continue
			}
			if i+1 == len(rest) || rest[i+1] != '\'' {
				return start + i + 1
			}
			i++
		}
	}
	end := max(d.starts[d.endOf(node)], start)
	return end - (len(d.text[start:end]) - len(bytes.TrimRight(d.text[start:end], "\r\n")))
}
