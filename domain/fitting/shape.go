package fitting

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// Shape describes values by their members, kinds and lengths, in at most limit bytes: deep values
// less deep if that takes more. An array is described by its length and its first element. A limit
// below 100 counts as 100.
//
//	{"total": number, "issues": [1,204 × {"id": number, "title": string, "body": string of 812 characters}]}
func Shape(values []json.RawMessage, limit int) string {
	limit = max(limit, leastLimit)
	shape := ""
	for depth := maxShapeDepth; depth >= 0; depth-- {
		w := shapeWriter{limit: limit, depth: depth}
		for i, value := range values {
			if i > 0 {
				w.write("\n")
			}
			w.value(value, 0)
		}
		if shape = w.text.String(); !w.isCut {
			return shape
		}
	}
	return Text(shape, limit)
}

const (
	// maxShapeDepth is how deep a shape goes at most.
	maxShapeDepth = 6
	// longString is the length in bytes from which on a shape says how long a string is.
	longString = 80
)

// shapeWriter writes shapes until there are limit bytes.
type shapeWriter struct {
	text  strings.Builder
	limit int
	depth int
	isCut bool
}

func (w *shapeWriter) write(text string) {
	if w.text.Len()+len(text) > w.limit {
		w.isCut = true
		return
	}
	w.text.WriteString(text)
}

func (w *shapeWriter) value(value []byte, depth int) {
	if w.isCut {
		return
	}
	switch rawjson.Kind(value) {
	case '{':
		w.object(value, depth)
	case '[':
		w.array(value, depth)
	case '"':
		w.write("string")
		if len(value) > longString {
			w.write(" of " + grouped(len(value)-len(`""`)) + " bytes")
		}
	case '0':
		w.write("number")
	case 'n':
		w.write("null")
	default:
		w.write("boolean")
	}
}

func (w *shapeWriter) object(value []byte, depth int) {
	if depth >= w.depth {
		w.write("{" + counted(countMembers(value), "member") + "}")
		return
	}
	w.write("{")
	first := true
	eachMember(value, func(name, value []byte) {
		if w.isCut {
			return
		}
		if !first {
			w.write(", ")
		}
		first = false
		w.write(string(rawjson.Quote(string(name))) + ": ")
		w.value(value, depth+1)
	})
	w.write("}")
}

func (w *shapeWriter) array(value []byte, depth int) {
	count, first := 0, []byte(nil)
	eachElement(value, func(element []byte) {
		if count++; count == 1 {
			first = element
		}
	})
	switch {
	case count == 0:
		w.write("[]")
	case depth >= w.depth:
		w.write("[" + counted(count, "item") + "]")
	default:
		w.write("[" + grouped(count) + " × ")
		w.value(first, depth+1)
		w.write("]")
	}
}
