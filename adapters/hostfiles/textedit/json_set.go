package textedit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// set implements SetJSON.
func (d *jsonDocument) set(path []string, value json.RawMessage) ([]byte, error) {
	in, depth, err := d.find(path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	if index := memberIndex(in, path[depth]); index >= 0 {
		return d.replace(&members(in)[index], value), nil
	}
	for _, name := range slices.Backward(path[depth+1:]) {
		value = json.RawMessage("{" + quote(name) + ":" + string(value) + "}")
	}
	return d.insert(in, path[depth], value), nil
}

// replace gives a member another value.
func (d *jsonDocument) replace(member *hujson.ObjectMember, value json.RawMessage) []byte {
	written := compact(value)
	if start, blank := lineStart(d.text, member.Name.StartOffset); blank {
		written = d.layout.value(value, string(d.text[start:member.Name.StartOffset]))
	}
	member.Value.Value = hujson.Literal(written)
	return d.root.Pack()
}

// insert adds a member at the end of an object.
func (d *jsonDocument) insert(in hujson.Value, name string, value json.RawMessage) []byte {
	object := in.Value.(*hujson.Object)
	var added hujson.ObjectMember
	if indent, onLines := d.memberIndent(in); onLines {
		// A comment after the last member stays there.
		comments := bytes.TrimRight(object.AfterExtra, " \t\r\n")
		if object.AfterExtra = object.AfterExtra[len(comments):]; len(object.Members) == 0 {
			object.AfterExtra = hujson.Extra(d.layout.lineEnd + d.lineIndent(in.StartOffset))
		}
		added.Name.BeforeExtra = slices.Concat(comments, []byte(d.layout.lineEnd+indent))
		added.Value = hujson.Value{BeforeExtra: hujson.Extra(" "), Value: hujson.Literal(d.layout.value(value, indent))}
	} else {
		added.Value.Value = hujson.Literal(compact(value))
		if bytes.Contains(d.text[in.StartOffset:in.EndOffset], []byte(": ")) {
			added.Value.BeforeExtra = hujson.Extra(" ")
		}
		if len(object.Members) > 0 {
			added.Name.BeforeExtra = added.Value.BeforeExtra
		}
	}
	added.Name.Value = hujson.Literal(quote(name))
	if last := len(object.Members) - 1; last >= 0 && object.Members[last].Value.AfterExtra != nil {
		added.Value.AfterExtra = hujson.Extra{} // a trailing comma
	}
	object.Members = append(object.Members, added)
	return d.root.Pack()
}

// memberIndent returns the indentation of the members of an object, and whether each is on a
// line of its own.
func (d *jsonDocument) memberIndent(in hujson.Value) (indent string, onLines bool) {
	if list := members(in); len(list) > 0 {
		first := list[len(list)-1].Name.StartOffset
		start, blank := lineStart(d.text, first)
		return string(d.text[start:first]), blank
	}
	// An empty object follows the document.
	root := members(d.root)
	onLines = len(root) == 0
	if !onLines {
		_, onLines = lineStart(d.text, root[0].Name.StartOffset)
	}
	return d.lineIndent(in.StartOffset) + d.layout.unit, onLines
}

// lineIndent returns the indentation of the line of an offset.
func (d *jsonDocument) lineIndent(offset int) string {
	start, _ := lineStart(d.text, offset)
	line := d.text[start:offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
