package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reader reads the tree of one file, and collects problems with its values in findings.
type reader struct {
	findings
	environment *environment
	transports  map[string]ports.Transport
	// makesLock says that the command makes the lock, so that it need not exist yet.
	makesLock bool
	// isReviewed is set for a review. Then decisive gets the keys that decide something.
	isReviewed bool
	decisive   []GivenKey
	// secrets and envFile say where values of variables are kept.
	secrets []domain.SecretPlace
	envFile string
	// fileValues are the values from files that decide what a server runs or where it is.
	fileValues []FileValue
	// included are the files that the file includes, and whether they need trust.
	included *includes
	// fromOthers says that the file may come from others: it was found in the working directory, or a file from
	// there includes it.
	fromOthers bool
	// given are the settings of the root from variables and flags.
	given []layer
	// names are the names of the toolboxes of all files.
	names []string
	// ownRegistry has the settings of the registry that the file names.
	ownRegistry object
	// unset is the first variable without a value among the settings that are read together.
	unset *domain.UnsetVariableError
	// root has the settings that toolboxes and servers depend on. Reading a toolbox adds its
	// form of definitions.
	root *Root
	// forReadTool is the first key that only read_tool needs, or nil.
	forReadTool *member
	// disabled are the toolboxes whose servers are all disabled. They are left out.
	disabled []domain.Toolbox
}

func newReader(file string, options Options, transports map[string]ports.Transport) *reader {
	return &reader{
		findings: findings{file: file}, environment: newEnvironment(options.Environ),
		transports: transports, makesLock: options.MakesLock, isReviewed: options.Reviewed,
	}
}

// isGiven reports whether a variable or a flag gave a setting of the root.
func (r *reader) isGiven(key string) bool {
	return slices.ContainsFunc(r.given, func(l layer) bool { _, ok := l[key]; return ok })
}

// keyKind says what the keys of an object name.
type keyKind int

const (
	// settingKeys are keys of the workbench or of a transport.
	settingKeys keyKind = iota
	// nameKeys are names of toolboxes, servers or tokens.
	nameKeys
	// dataKeys are variables in "env" and headers in "headers". All of them count, since
	// "_JAVA_OPTIONS" is a variable like any other.
	dataKeys
)

// ignores reports whether a key is a comment for people or editors.
func (k keyKind) ignores(name string) bool {
	return k != dataKeys && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$"))
}

// object returns the members of an object in their order, without those that are
// ignored. If a key occurs twice, the first member counts and the others are problems.
func (r *reader) object(n node, kind keyKind, wanted string) (object, bool) {
	value, ok := n.value.Value.(*hujson.Object)
	if !ok {
		r.wrongKind(n, wanted)
		return nil, false
	}
	members := make(object, 0, len(value.Members))
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
		members = append(members, m)
	}
	return members, true
}

// list returns the elements of a list.
func (r *reader) list(n node, wanted string) []node {
	elements, ok := n.elements()
	if !ok {
		r.wrongKind(n, wanted)
	}
	return elements
}

// text returns the value of a string.
func (r *reader) text(n node, wanted string) (string, bool) {
	text, ok := n.text()
	if !ok {
		r.wrongKind(n, wanted)
	}
	return text, ok
}

// word returns the value of a string that is one of the choices.
func word[T ~string](r *reader, n node, choices []T) (T, bool) {
	text, ok := n.text()
	switch {
	case !ok:
		r.wrongKind(n, oneOf(choices))
	case !slices.Contains(choices, T(text)):
		r.wrongValue(n, oneOf(choices))
		ok = false
	}
	return T(text), ok
}

// boolean returns the value of a boolean.
func (r *reader) boolean(n node) bool {
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

// expanded returns the text of a key with its variables replaced, and whether it can be used. The text of a whole setting is
// not empty, and decides something unless it is a secret. If the text cannot be used, result has none, and either a
// problem was reported, or unset is the first variable that is not set or, if the expanded text must not be empty, that is empty.
func (r *reader) expanded(n node, key keys.Key, whole bool, text string) (result sourced, unset *domain.UnsetVariableError, ok bool) {
	result, err := r.expand(text)
	switch {
	case err != nil:
		r.wrong(n.place(), err.Error(), wantedVariable)
	case result.unset != "":
		unset = &domain.UnsetVariableError{Variable: result.unset, KeyPath: n.path.String(), Unread: result.unread}
	case !r.mayUse(n, key, whole, result):
	case result.text == "" && text != "" && whole:
		unset = &domain.UnsetVariableError{Variable: result.empty, KeyPath: n.path.String(), IsEmpty: true}
	default:
		return result, nil, true
	}
	result.text = ""
	return result, unset, false
}
