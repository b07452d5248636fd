package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// reader reads values of the tree. What is wrong with them goes into its findings.
type reader struct {
	*findings
	environment *environment
}

func newReader(file string, environ []string) reader {
	return reader{findings: &findings{file: file}, environment: newEnvironment(environ)}
}

// keyKind is what the keys of an object are.
type keyKind int

const (
	// settingKeys are keys of ours or of a transport.
	settingKeys keyKind = iota
	// nameKeys are names of toolboxes, servers or tokens.
	nameKeys
	// dataKeys are variables in "env" and headers in "headers". None is ignored, since
	// "_JAVA_OPTIONS" is a variable like any other.
	dataKeys
)

// ignores reports whether a key is a comment for people or editors.
func (k keyKind) ignores(name string) bool {
	return k != dataKeys && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$"))
}

// object returns the members of an object in their order, without those that are
// ignored. Of members with one key the first stays and the others are problems.
func (r reader) object(n node, kind keyKind, wanted string) (object, bool) {
	value, ok := n.value.Value.(*hujson.Object)
	if !ok {
		r.wrongKind(n, wanted)
		return nil, false
	}
	found := make(object, 0, len(value.Members))
	first := make(map[string]int, len(value.Members))
	for i := range value.Members {
		key := &value.Members[i].Name
		literal := key.Value.(hujson.Literal)
		name := unquoted(literal)
		m := member{
			node: node{value: &value.Members[i].Value, path: n.path.member(name)},
			name: name, literal: literal, start: key.StartOffset,
		}
		if kind.ignores(name) {
			if kind == nameKeys && m.value.Value.Kind() == '{' {
				r.warn(m.key(), fmt.Sprintf("ignored, since its name begins with %q", name[:1]))
			}
			continue
		}
		if start, twice := first[name]; twice {
			again := fmt.Sprintf("%q a second time (the first is on line %d)", name, r.lines.line(start))
			r.wrong(m.key(), again, "each key once")
			continue
		}
		first[name] = m.start
		found = append(found, m)
	}
	return found, true
}

// list returns the elements of a list.
func (r reader) list(n node, wanted string) []node {
	elements, ok := n.elements()
	if !ok {
		r.wrongKind(n, wanted)
	}
	return elements
}

// text returns the value of a string.
func (r reader) text(n node, wanted string) (string, bool) {
	text, ok := n.text()
	if !ok {
		r.wrongKind(n, wanted)
	}
	return text, ok
}

// word returns the value of a string that is one of the choices.
func (r reader) word(n node, choices []string) (string, bool) {
	text, ok := r.text(n, oneOf(choices))
	if ok && !slices.Contains(choices, text) {
		r.wrongValue(n, oneOf(choices))
		return text, false
	}
	return text, ok
}

// boolean returns the value of a boolean.
func (r reader) boolean(n node) bool {
	switch n.value.Value.Kind() {
	case 't':
		return true
	case 'f':
		return false
	default:
		r.wrongKind(n, "true or false")
		return false
	}
}

// matching returns the texts of a list that fit.
func (r reader) matching(n node, wanted string, fits func(string) bool) []string {
	var texts []string
	for _, element := range r.list(n, "a list of strings") {
		switch text, ok := r.text(element, wanted); {
		case !ok:
		case !fits(text):
			r.wrongValue(element, wanted)
		default:
			texts = append(texts, text)
		}
	}
	return texts
}

// expanded returns a text with its variables replaced. Unset is the first variable that is not
// set, or is empty while the text has nothing else. The result is empty when the text is wrong,
// which is reported.
func (r reader) expanded(n node, text string) (result expansion, unset *domain.UnsetVariableError) {
	result, err := expand(text, r.environment.expand)
	switch {
	case err != nil:
		r.wrong(n.place(), err.Error(), wantedVariable)
		return expansion{}, nil
	case result.unset != "":
		return expansion{}, &domain.UnsetVariableError{Variable: result.unset, KeyPath: n.path.String()}
	case result.text == "" && text != "":
		return expansion{}, &domain.UnsetVariableError{Variable: result.empty, KeyPath: n.path.String(), IsEmpty: true}
	}
	return result, nil
}
