package config

import (
	"bytes"
	"strconv"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// node is a value of the file and its path.
type node struct {
	value *hujson.Value
	path  *keyPath
}

// member is a key of an object and its value.
type member struct {
	node
	name    string
	literal hujson.Literal // the name as written
	start   int            // offset of the name
}

// object is the members of an object, in the order of the file.
type object []member

// get returns the member of that name and whether there is one.
func (o object) get(name string) (member, bool) {
	for _, m := range o {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

func (o object) has(name string) bool {
	_, ok := o.get(name)
	return ok
}

// place returns where the value is.
func (n node) place() place { return place{n.value.StartOffset, n.path} }

// absent returns the place of a member that an object does not have.
func (n node) absent(key string) place { return place{n.value.StartOffset, n.path.member(key)} }

// key returns where the name of the member is.
func (m member) key() place { return place{m.start, m.path} }

// kind names the kind of the value as a message shows it.
func (n node) kind() string {
	switch n.value.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	default:
		return string(n.value.Value.(hujson.Literal)) // true or false
	}
}

// text returns the value of a string.
func (n node) text() (string, bool) {
	if n.value.Value.Kind() != '"' {
		return "", false
	}
	return unquoted(n.value.Value.(hujson.Literal)), true
}

// elements returns the elements of a list.
func (n node) elements() ([]node, bool) {
	array, ok := n.value.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	elements := make([]node, len(array.Elements))
	for i := range array.Elements {
		elements[i] = node{value: &array.Elements[i], path: n.path.element(i)}
	}
	return elements, true
}

// scalar returns the text of a string or number.
func (n node) scalar() (string, bool) {
	if n.value.Value.Kind() == '0' {
		return string(n.value.Value.(hujson.Literal)), true
	}
	return n.text()
}

// shown returns the value as a message shows it: for settings that hold no
// secret.
func (n node) shown() string {
	switch text, ok := n.scalar(); {
	case !ok:
		return n.kind()
	case n.value.Value.Kind() == '0':
		return shortened(text)
	default:
		return strconv.Quote(shortened(text))
	}
}

// maxShown is the maximum number of characters of a value in a message.
const maxShown = 60

func shortened(text string) string { return domain.CutCharacters(text, maxShown) }

// unquoted returns the value of a string literal.
func unquoted(literal hujson.Literal) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	return literal.String()
}
