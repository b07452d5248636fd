package textedit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// set implements SetJSON.
func (d *jsonDocument) set(path []string, value json.RawMessage) ([]byte, error) {
	in, depth, err := d.find(path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	if index := memberIndex(in, path[depth]); index >= 0 {
		return d.replace(members(in)[index], value), nil
	}
	for _, name := range slices.Backward(path[depth+1:]) {
		value = json.RawMessage("{" + quote(name) + ":" + string(value) + "}")
	}
	return d.insert(in, path[depth], value), nil
}

// replace gives a member another value.
func (d *jsonDocument) replace(member hujson.ObjectMember, value json.RawMessage) []byte {
	written := compact(value)
	if start, blank := lineStart(d.text, member.Name.StartOffset); blank {
		written = d.layout.value(value, string(d.text[start:member.Name.StartOffset]))
	}
	return splice(d.text, member.Value.StartOffset, member.Value.EndOffset, written)
}

// insert adds a member at the end of an object.
func (d *jsonDocument) insert(in hujson.Value, name string, value json.RawMessage) []byte {
	list := members(in)
	brace := in.EndOffset - 1
	indent, onLines := d.memberIndent(in)
	if !onLines {
		return d.insertInline(list, in, name, value)
	}
	written := indent + quote(name) + ": " + d.layout.value(value, indent)
	if len(list) == 0 {
		return d.insertFirst(in, written)
	}
	last := list[len(list)-1].Value
	comma, trailing := commaAfter(d.text, last, brace)
	// A comment after the last member stays there.
	end := last.EndOffset + len(bytes.TrimRight(d.text[last.EndOffset:brace], " \t\r\n"))
	if trailing {
		return splice(d.text, end, end, d.layout.lineEnd+written+",")
	}
	out := splice(d.text, end, end, d.layout.lineEnd+written)
	return splice(out, comma, comma, ",")
}

// insertFirst adds a member to an object that has none.
func (d *jsonDocument) insertFirst(in hujson.Value, written string) []byte {
	brace := in.EndOffset - 1
	end := in.StartOffset + len(bytes.TrimRight(d.text[in.StartOffset:brace], " \t\r\n"))
	closing := d.layout.lineEnd + d.lineIndent(in.StartOffset)
	return splice(d.text, end, brace, d.layout.lineEnd+written+closing)
}

// insertInline adds a member to an object on one line.
func (d *jsonDocument) insertInline(list []hujson.ObjectMember, in hujson.Value, name string, value json.RawMessage) []byte {
	colon, separator := ":", ","
	if bytes.Contains(d.text[in.StartOffset:in.EndOffset], []byte(": ")) {
		colon, separator = ": ", ", "
	}
	written := quote(name) + colon + compact(value)
	if len(list) == 0 {
		return splice(d.text, in.StartOffset+1, in.StartOffset+1, written)
	}
	last := list[len(list)-1].Value
	if comma, trailing := commaAfter(d.text, last, in.EndOffset-1); trailing {
		return splice(d.text, comma+1, comma+1, strings.TrimPrefix(separator, ",")+written+",")
	}
	return splice(d.text, last.EndOffset, last.EndOffset, separator+written)
}

// commaAfter returns the offset for a comma after a value, and whether there is one already, before
// end.
func commaAfter(text []byte, value hujson.Value, end int) (offset int, there bool) {
	offset = value.EndOffset + len(value.AfterExtra)
	if offset < end && text[offset] == ',' {
		return offset, true
	}
	return value.EndOffset, false
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
