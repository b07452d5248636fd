package excerpts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

const (
	// maxNames is the maximum size in bytes of the names that a cut array mentions.
	maxNames = 200
	// maxKnown is the number of names of an array that are remembered.
	maxKnown = 100
	// maxName is the longest name, in bytes, that is mentioned.
	maxName = 40
)

// newNames are the names of members that only the elements of an array have that are not shown.
type newNames struct {
	most   int // size of the text that String returns, in bytes of JSON
	known  []string
	others []string
	size   int // of others, in bytes of JSON
}

// know records that an element is shown.
func (n *newNames) know(element []byte) {
	n.each(element, func(name string) { n.known = append(n.known, name) })
}

// note records that an element is not shown.
func (n *newNames) note(element []byte) {
	n.each(element, func(name string) {
		if len(name) > maxName || !utf8.ValidString(name) {
			return
		}
		if size := len(rawjson.Quote(name)); n.size+size+len(`, some with `) <= n.most {
			n.others, n.size = append(n.others, name), n.size+size
		}
	})
}

// each calls visit with those names of members of an element that are new.
func (n *newNames) each(element []byte, visit func(name string)) {
	if rawjson.Kind(element) != '{' {
		return
	}
	eachMember(element, func(name, _ []byte) {
		if len(n.known)+len(n.others) < maxKnown && !slices.Contains(n.known, string(name)) && !slices.Contains(n.others, string(name)) {
			visit(string(name))
		}
	})
}

// String returns the names for the end of a sentence, "" without any.
func (n *newNames) String() string {
	if len(n.others) == 0 {
		return ""
	}
	return ", some with " + strings.Join(n.others, ", ")
}
