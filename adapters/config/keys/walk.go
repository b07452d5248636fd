package keys

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// Value is a value in a raw object, and what describes it.
type Value struct {
	// Key is that of the value, At its path from the object: "oauth", "clientSecret", and Of the key of the object that begins it.
	Key, Of Key
	At      []string
	// Raw is the value as it is written, nil for none.
	Raw json.RawMessage
}

// Path returns the path of the value as messages show it: "oauth.clientSecret".
func (v Value) Path() string { return strings.Join(v.At, ".") }

// Values returns the values in a raw object in their order: in place of an object with keys, or of one whose names the user
// chooses, those of its members. It leaves out comments, which are members that begin with "_" or "$", and returns
// none for a value that is no object. The values share memory with the object.
func (s Set) Values(object json.RawMessage) []Value {
	return valuesIn(nil, object, Value{}, s.Member)
}

// valuesIn appends the values in an object, which is a value itself unless it is the whole.
func valuesIn(values []Value, object json.RawMessage, above Value, describe func(name string) Key) []Value {
	_ = rawjson.EachMember(object, func(text, raw []byte) error {
		name := string(text)
		value := Value{Key: describe(name), Of: above.Of, At: append(slices.Clip(above.At), name), Raw: raw}
		if len(above.At) == 0 {
			value.Of = value.Key
		}
		switch {
		case !value.Key.Is(Data) && isComment(name):
		case value.Key.hasMembers() && rawjson.Kind(raw) == '{':
			values = valuesIn(values, raw, value, value.Key.Member)
		default:
			values = append(values, value)
		}
		return nil
	}) // a value of another kind has no members
	return values
}

// hasMembers reports whether an object that is the value of the key is more than one value.
func (k Key) hasMembers() bool {
	return slices.Contains([]Kind{Object, Named, Pairs}, k.Kind)
}

// isComment reports whether the name of a member is for people or editors.
func isComment(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$") }

// Change is a value that differs between two states of an object. Raw is that of the state after, nil if it has none.
type Change struct {
	Value
	// Before is the value in the state before, nil if it has none.
	Before json.RawMessage
}

// Changes returns what differs between the values of two states of an object: first in the order of the state after, then what
// that state does not have. Blanks do not count.
func Changes(before, after []Value) []Change {
	var changes []Change
	old := slices.Clone(before)
	for _, value := range after {
		was := take(&old, value.Path())
		if !isEqual(was, value.Raw) {
			changes = append(changes, Change{value, was})
		}
	}
	for _, value := range old {
		was := value.Raw
		value.Raw = nil
		changes = append(changes, Change{value, was})
	}
	return changes
}

// take removes the value at a path and returns it, nil for none.
func take(values *[]Value, path string) json.RawMessage {
	i := slices.IndexFunc(*values, func(v Value) bool { return v.Path() == path })
	if i < 0 {
		return nil
	}
	raw := (*values)[i].Raw
	*values = slices.Delete(*values, i, i+1)
	return raw
}

// isEqual reports whether two values are written alike but for blanks.
func isEqual(first, other json.RawMessage) bool {
	var a, b bytes.Buffer
	if first == nil || json.Compact(&a, first) != nil || json.Compact(&b, other) != nil {
		return false
	}
	return bytes.Equal(a.Bytes(), b.Bytes())
}

// At describes the value at a path of names in an object with these keys, as Member does at each step. The path is not empty.
func (s Set) At(path []string) Key {
	key := s.Member(path[0])
	for _, name := range path[1:] {
		key = key.Member(name)
	}
	return key
}
