package rawjson

import "fmt"

// maxParsed is how many objects and arrays deep Parse goes. The deepest known definition of a
// published tool is 14 deep.
const maxParsed = 64

// TooDeep is the Kind of an object or array that is nested too deep for Parse to parse it.
const TooDeep = '.'

// Value is a parsed JSON value, with the members of an object or the elements of an array in
// order. The zero Value is the absence of a value.
type Value struct {
	// Kind is the result of the function Kind for Raw, or TooDeep.
	Kind byte
	// Raw is the value in its own bytes.
	Raw   []byte
	Parts []Part
}

// Part is a member of an object, or an element of an array, which has no name.
type Part struct {
	Name string
	Value
}

// Parse parses JSON text. The error wraps ErrSyntax.
func Parse(text []byte) (Value, error) {
	w := walk{text: text}
	v, err := w.parse(0)
	if err != nil {
		return Value{}, err
	}
	return v, w.end()
}

// parse returns the next value, depth objects and arrays deep.
func (w *walk) parse(depth int) (Value, error) {
	kind := Kind([]byte{w.next()})
	begin := w.at
	v := Value{Kind: kind}
	var err error
	switch {
	case kind != '{' && kind != '[':
		err = w.skip(depth)
	case depth >= maxParsed:
		v.Kind = TooDeep
		err = w.skip(depth)
	default:
		v.Parts, err = w.parseParts(kind+2, depth+1) // '}' and ']' come two after '{' and '['
	}
	if err != nil {
		return Value{}, err
	}
	v.Raw = w.text[begin:w.at:w.at]
	return v, nil
}

// parseParts returns the parts of the next object or array, which ends with that byte.
func (w *walk) parseParts(end byte, depth int) ([]Part, error) {
	w.at++
	if w.next() == end {
		w.at++
		return nil, nil
	}
	var members []Part
	for {
		var m Part
		var err error
		if end == '}' {
			if m.Name, err = w.parseName(); err != nil {
				return nil, err
			}
		}
		if m.Value, err = w.parse(depth); err != nil {
			return nil, err
		}
		members = append(members, m)
		if more, err := w.more(end); !more || err != nil {
			return members, err
		}
	}
}

// parseName skips the name of a member and the colon after it, and returns the name.
func (w *walk) parseName() (string, error) {
	if w.next() != '"' {
		return "", w.unexpected()
	}
	begin := w.at
	if err := w.skipString(); err != nil {
		return "", err
	}
	return Text(w.text[begin:w.at]), w.pass(':')
}

// Exists reports whether there is a value.
func (v Value) Exists() bool { return v.Kind != 0 }

// Text returns the text of a string, "" for any other value.
func (v Value) Text() string { return Text(v.Raw) }

// Member returns the value of the member with that name. Of several it returns the last, as most
// readers of JSON do, and the zero Value if there is none.
func (v Value) Member(name string) Value {
	if v.Kind != '{' {
		return Value{}
	}
	for i := len(v.Parts) - 1; i >= 0; i-- {
		if v.Parts[i].Name == name {
			return v.Parts[i].Value
		}
	}
	return Value{}
}

// Elements returns the elements of an array, none for any other value.
func (v Value) Elements() []Part {
	if v.Kind != '[' {
		return nil
	}
	return v.Parts
}

// Texts returns the strings in an array, or a single string.
func (v Value) Texts() []string {
	if v.Kind == '"' {
		return []string{v.Text()}
	}
	var texts []string
	for _, element := range v.Elements() {
		if element.Kind == '"' {
			texts = append(texts, element.Text())
		}
	}
	return texts
}

// Repeats reports whether an object has a name twice.
func (v Value) Repeats() bool {
	if v.Kind != '{' || len(v.Parts) < 2 {
		return false
	}
	// Most objects are small: comparing costs less than a map.
	if len(v.Parts) <= 16 {
		for i, m := range v.Parts {
			for _, other := range v.Parts[:i] {
				if other.Name == m.Name {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(v.Parts))
	for _, m := range v.Parts {
		if seen[m.Name] {
			return true
		}
		seen[m.Name] = true
	}
	return false
}

// Tree contains the members of a JSON object, and those of the objects in it that were
// descended into, as slices of the scanned text.
type Tree struct {
	nodes []node // each after the one that it is a member of
	whole bool   // whether the object was descended into
}

// node is one member.
type node struct {
	name, value []byte
	members     int // how many of the following nodes are below it; -1 if it was not descended into
}

// MaxMembers is the number of members that a Tree may have. A member costs some twenty times its shortest text, and who
// sends the text decides how many there are.
const MaxMembers = 16_384

// ErrTooManyMembers says that a text has more than MaxMembers where a Tree was wanted.
var ErrTooManyMembers = fmt.Errorf("it has more than %d members", MaxMembers)

// Descend reports whether to descend into the value of a member, if it is an object. The
// members of the outermost object are at depth 0.
type Descend func(depth int, name []byte) bool

// Walked reports whether the tree is that of an object that was descended into. Any other
// value has the zero Tree.
func (t Tree) Walked() bool { return t.whole }

// Each calls visit for each member in order, with its own tree.
func (t Tree) Each(visit func(name, value []byte, members Tree)) {
	for i := 0; i < len(t.nodes); {
		n := t.nodes[i]
		below := max(0, n.members)
		visit(n.name, n.value, Tree{nodes: t.nodes[i+1 : i+1+below], whole: n.members >= 0})
		i += 1 + below
	}
}

// Tree scans a JSON object once and descends as deep as descend says. The tree is valid until
// the scanner is used again. The errors are those of EachMember, and ErrTooManyMembers.
func (s *Scanner) Tree(text []byte, descend Descend) (Tree, error) {
	s.walk = walk{text: text}
	s.nodes = s.nodes[:0]
	if s.walk.next() != '{' {
		return Tree{}, s.other(ErrNotObject)
	}
	if err := s.grow(descend, 0); err != nil {
		return Tree{}, err
	}
	return Tree{nodes: s.nodes, whole: true}, s.walk.end()
}

// grow adds the members of the next object.
func (s *Scanner) grow(descend Descend, depth int) error {
	w := &s.walk
	if depth >= maxDepth {
		return tooDeep()
	}
	w.at++
	if w.next() == '}' {
		w.at++
		return nil
	}
	for {
		name, err := w.name()
		if err != nil {
			return err
		}
		i := len(s.nodes)
		if i == MaxMembers {
			return ErrTooManyMembers
		}
		s.nodes = append(s.nodes, node{name: name, members: -1})
		if w.next() == '{' && descend(depth, name) {
			begin := w.at
			if err := s.grow(descend, depth+1); err != nil {
				return err
			}
			s.nodes[i].value = w.text[begin:w.at:w.at]
			s.nodes[i].members = len(s.nodes) - i - 1
		} else if s.nodes[i].value, err = w.value(depth + 1); err != nil {
			return err
		}
		more, err := w.more('}')
		if !more || err != nil {
			return err
		}
	}
}
