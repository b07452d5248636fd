package tree

import (
	"bytes"
	"strconv"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// Node is a value of the file and its path.
type Node struct {
	Value *hujson.Value
	Path  *Path
}

// Member is a key of an object and its value.
type Member struct {
	Node
	Name    string
	Literal hujson.Literal // the name as written
	start   int            // offset of the name
}

// Object is the members of an object, in the order of the file.
type Object []Member

// Get returns the member of that name and whether there is one.
func (o Object) Get(name string) (Member, bool) {
	for _, m := range o {
		if m.Name == name {
			return m, true
		}
	}
	return Member{}, false
}

// Has reports whether the object has a member of that name.
func (o Object) Has(name string) bool {
	_, ok := o.Get(name)
	return ok
}

// Place returns where the value is.
func (n Node) Place() Place { return Place{n.Value.StartOffset, n.Path} }

// Absent returns the place of a member that an object does not have.
func (n Node) Absent(key string) Place { return Place{n.Value.StartOffset, n.Path.Member(key)} }

// Key returns where the name of the member is.
func (m Member) Key() Place { return Place{m.start, m.Path} }

// kind names the kind of the value as a message shows it.
func (n Node) kind() string {
	switch n.Value.Value.Kind() {
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
		return string(n.Value.Value.(hujson.Literal)) // true or false
	}
}

// Text returns the value of a string.
func (n Node) Text() (string, bool) {
	if n.Value.Value.Kind() != '"' {
		return "", false
	}
	return Unquoted(n.Value.Value.(hujson.Literal)), true
}

// Elements returns the elements of a list.
func (n Node) Elements() ([]Node, bool) {
	array, ok := n.Value.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	elements := make([]Node, len(array.Elements))
	for i := range array.Elements {
		elements[i] = Node{Value: &array.Elements[i], Path: n.Path.Element(i)}
	}
	return elements, true
}

// Scalar returns the text of a string or number.
func (n Node) Scalar() (string, bool) {
	if n.Value.Value.Kind() == '0' {
		return string(n.Value.Value.(hujson.Literal)), true
	}
	return n.Text()
}

// Shown returns the value as a message shows it: for settings that hold no
// secret.
func (n Node) Shown() string {
	switch text, ok := n.Scalar(); {
	case !ok:
		return n.kind()
	case n.Value.Value.Kind() == '0':
		return Shortened(text)
	default:
		return strconv.Quote(Shortened(text))
	}
}

// Standard returns the value as standard JSON, without blanks and comments.
func (n Node) Standard() []byte {
	value := n.Value.Clone()
	value.Minimize()
	return value.Pack()
}

// maxShown is the maximum number of characters of a value in a message.
const maxShown = 60

// Shortened returns a text as messages show it, cut to 60 characters.
func Shortened(text string) string { return domain.CutCharacters(text, maxShown) }

// Unquoted returns the value of a string literal.
func Unquoted(literal hujson.Literal) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	return literal.String()
}
