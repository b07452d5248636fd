package tree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// KeyKind says what the keys of an object name.
type KeyKind int

const (
	// SettingKeys are keys of the workbench or of a transport.
	SettingKeys KeyKind = iota
	// NameKeys are names of toolboxes, servers or tokens.
	NameKeys
	// DataKeys are variables in "env" and headers in "headers". All of them count, since
	// "_JAVA_OPTIONS" is a variable like any other.
	DataKeys
)

// ignores reports whether a key is a comment for people or editors.
func (k KeyKind) ignores(name string) bool {
	return k != DataKeys && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$"))
}

// Object returns the members of an object in their order, without those that are
// ignored. If a key occurs twice, the first member counts and the others are problems.
func (f *Findings) Object(n Node, kind KeyKind, wanted string) (Object, bool) {
	value, ok := n.Value.Value.(*hujson.Object)
	if !ok {
		f.WrongKind(n, wanted)
		return nil, false
	}
	members := make(Object, 0, len(value.Members))
	first := make(map[string]int, len(value.Members))
	for i := range value.Members {
		key := &value.Members[i].Name
		literal := key.Value.(hujson.Literal)
		name := Unquoted(literal)
		m := Member{
			Node: Node{Value: &value.Members[i].Value, Path: n.Path.Member(name)},
			Name: name, Literal: literal, start: key.StartOffset,
		}
		if kind.ignores(name) {
			if kind == NameKeys && m.Value.Value.Kind() == '{' {
				f.Warn(m.Key(), fmt.Sprintf("ignored, since its name begins with %q", name[:1]))
			}
			continue
		}
		if start, twice := first[name]; twice {
			again := fmt.Sprintf("%q a second time (the first is on line %d)", name, f.lines.line(start))
			f.Wrong(m.Key(), again, "each key once")
			continue
		}
		first[name] = m.start
		members = append(members, m)
	}
	return members, true
}

// List returns the elements of a list.
func (f *Findings) List(n Node, wanted string) []Node {
	elements, ok := n.Elements()
	if !ok {
		f.WrongKind(n, wanted)
	}
	return elements
}

// Text returns the value of a string.
func (f *Findings) Text(n Node, wanted string) (string, bool) {
	text, ok := n.Text()
	if !ok {
		f.WrongKind(n, wanted)
	}
	return text, ok
}

// Word returns the value of a string that is one of the choices.
func Word[T ~string](f *Findings, n Node, choices []T) (T, bool) {
	text, ok := n.Text()
	switch {
	case !ok:
		f.WrongKind(n, OneOf(choices))
	case !slices.Contains(choices, T(text)):
		f.WrongValue(n, OneOf(choices))
		ok = false
	}
	return T(text), ok
}

// Boolean returns the value of a boolean.
func (f *Findings) Boolean(n Node) bool {
	switch n.Value.Value.Kind() {
	case 't':
		return true
	case 'f':
		return false
	default:
		f.WrongKind(n, "true or false")
		return false
	}
}
