package rawjson

import "fmt"

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
