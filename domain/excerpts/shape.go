package excerpts

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// Shape describes values by their members, kinds and lengths. If that takes more than limit bytes, it
// descends less deeply into them. An array is described by its length and its first element, an array
// of objects by the members of its first eight, with "?" after the names that some of them lack. A
// limit below 100 counts as 100.
//
//	{"total": number, "issues": [1,204 × {"id": number, "title": string, "body"?: string of 812 bytes}]}
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
	// maxAlike is the number of elements of an array that are examined, and maxUnion the number of their members that
	// are described: more than a description has room for.
	maxAlike, maxUnion = 8, 500
	// longString is the length in bytes above which a shape says how long a string is.
	longString = 80
)

// shapeWriter writes shapes of at most limit bytes.
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
	count, first := 0, make([][]byte, 0, maxAlike)
	eachElement(value, func(element []byte) {
		if count++; count <= maxAlike {
			first = append(first, element)
		}
	})
	switch {
	case count == 0:
		w.write("[]")
	case depth >= w.depth:
		w.write("[" + counted(count, "item") + "]")
	default:
		w.write("[" + grouped(count) + " × ")
		w.element(first, depth+1)
		w.write("]")
	}
}

// element writes the shape of elements of an array: that of the first, unless they are objects.
func (w *shapeWriter) element(elements [][]byte, depth int) {
	for _, element := range elements {
		if rawjson.Kind(element) != '{' || depth >= w.depth {
			w.value(elements[0], depth)
			return
		}
	}
	w.write("{")
	for i, m := range union(elements) {
		if w.isCut {
			return
		}
		if i > 0 {
			w.write(", ")
		}
		w.write(string(rawjson.Quote(m.name)))
		if m.count < len(elements) {
			w.write("?")
		}
		w.write(": ")
		w.value(m.value, depth+1)
	}
	w.write("}")
}

// sharedMember is a member that some of several objects have.
type sharedMember struct {
	name  string
	value []byte // of the first object where it is not null
	count int    // of the objects that have it
	last  int    // number of the last one
}

// union returns the members that objects have, each name once.
func union(objects [][]byte) []sharedMember {
	var members []sharedMember
	places := map[string]int{}
	for number, object := range objects {
		eachMember(object, func(name, value []byte) {
			at, known := places[string(name)]
			switch {
			case !known && len(members) == maxUnion:
			case !known:
				places[string(name)] = len(members)
				members = append(members, sharedMember{name: string(name), value: value, count: 1, last: number})
			default:
				m := &members[at]
				if m.last != number {
					m.count, m.last = m.count+1, number
				}
				if rawjson.IsNull(m.value) {
					m.value = value
				}
			}
		})
	}
	return members
}
