package config

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// member is a key of an object and its value.
type member struct {
	node
	name    string
	literal hujson.Literal // the name as written
	start   int            // offset of the name
}

// keys says what the keys of an object are.
type keys int

const (
	// settingKeys are keys of ours or of a transport.
	settingKeys keys = iota
	// nameKeys are names of toolboxes or servers.
	nameKeys
	// dataKeys are variables in "env" and headers in "headers". None is ignored, since
	// "_JAVA_OPTIONS" is a variable like any other.
	dataKeys
)

// ignored reports whether a key is a comment for people or editors.
func (k keys) ignored(name string) bool {
	return k != dataKeys && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$"))
}

// object returns the members of an object in their order, without those that are
// ignored. Of members with one key the first stays and the others are problems.
func (l *loader) object(n node, k keys, wanted string) ([]member, bool) {
	object, ok := n.value.Value.(*hujson.Object)
	if !ok {
		l.wrongKind(n, wanted)
		return nil, false
	}
	members := make([]member, 0, len(object.Members))
	first := make(map[string]int, len(object.Members))
	for i := range object.Members {
		key, value := &object.Members[i].Name, &object.Members[i].Value
		literal := key.Value.(hujson.Literal)
		name := unquoted(literal)
		path := n.path.member(name)
		if k.ignored(name) {
			if k == nameKeys && value.Value.Kind() == '{' {
				l.warn(key.StartOffset, path, fmt.Sprintf("ignored, since its name begins with %q", name[:1]))
			}
			continue
		}
		if start, twice := first[name]; twice {
			found := fmt.Sprintf("%q a second time (the first is on line %d)", name, l.lines.line(start))
			l.wrong(key.StartOffset, path, found, "each key once")
			continue
		}
		first[name] = key.StartOffset
		members = append(members, member{
			node: node{value: value, path: path}, name: name, literal: literal, start: key.StartOffset,
		})
	}
	return members, true
}

// text returns the value of a string.
func (l *loader) text(n node) string {
	text, ok := n.text()
	if !ok {
		l.wrongKind(n, "a string")
	}
	return text
}

// texts returns the values of a list of strings.
func (l *loader) texts(n node) ([]string, bool) {
	array, ok := n.value.Value.(*hujson.Array)
	if !ok {
		l.wrongKind(n, "a list of strings")
		return nil, false
	}
	texts := make([]string, len(array.Elements))
	for i := range array.Elements {
		texts[i] = l.text(node{value: &array.Elements[i], path: n.path.element(i)})
	}
	return texts, true
}

// boolean returns the value of a boolean.
func (l *loader) boolean(n node) bool {
	switch n.value.Value.Kind() {
	case 't':
		return true
	case 'f':
		return false
	default:
		l.wrongKind(n, "true or false")
		return false
	}
}
