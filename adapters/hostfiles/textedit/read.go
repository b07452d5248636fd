package textedit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tailscale/hujson"
)

// Member is a member of an object, or a key of a table.
type Member struct {
	Name string
	// Value is standard JSON, without comments; a TOML value is translated.
	Value json.RawMessage
}

// ReadJSON returns the members of the object at the path in the order of the text,
// each name once, with its last value, or the elements of the list there, which are named by their member
// "name". It returns nil if the path does not exist.
//
// Failures: ErrSyntax; ErrNotEditable if something on the way is not an object.
func ReadJSON(text []byte, path []string) ([]Member, error) {
	document, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	if list, isList := document.list(path); isList {
		return elements(list), nil
	}
	in, depth, err := document.find(path)
	if err != nil || depth < len(path) {
		return nil, err
	}
	read := []Member{}
	last := map[string]int{}
	for i, member := range members(in) {
		if literal, ok := member.Name.Value.(hujson.Literal); ok {
			last[literal.String()] = i
		}
	}
	for i, member := range members(in) {
		literal, ok := member.Name.Value.(hujson.Literal)
		if !ok || last[literal.String()] != i {
			continue
		}
		value := member.Value.Clone()
		value.Minimize()
		read = append(read, Member{Name: literal.String(), Value: value.Pack()})
	}
	return read, nil
}

// list returns the elements of a list at a path as standard JSON, and whether there is one.
func (d *jsonDocument) list(path []string) (list []json.RawMessage, isList bool) {
	if len(path) == 0 {
		return nil, false
	}
	member, err := d.member(path)
	if err != nil || member.Value.Value.Kind() != '[' {
		return nil, false
	}
	value := member.Value.Clone()
	value.Minimize()
	isOther := func(element json.RawMessage) bool { return element[0] != '{' }
	return list, json.Unmarshal(value.Pack(), &list) == nil && !slices.ContainsFunc(list, isOther)
}

// elements returns the elements of a list, named by their member "name".
func elements(list []json.RawMessage) []Member {
	read := []Member{}
	for _, element := range list {
		var named struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(element, &named) // others have no name
		read = append(read, Member{Name: named.Name, Value: element})
	}
	return read
}

// ReadTOML returns the keys of the table at the path in the order of the text, or the tables of the list there,
// which are named by their key "name". It returns none if the path does not exist.
//
// Failures: ErrSyntax; ErrNotEditable if something on the way is not a table.
func ReadTOML(text []byte, path []string) ([]Member, error) {
	in, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	for depth, name := range path {
		value, there := in[name]
		if !there {
			return nil, nil
		}
		next, ok := value.(map[string]any)
		if tables, isList := value.([]any); isList && depth == len(path)-1 {
			return tomlElements(tables, at(path))
		}
		if !ok {
			return nil, fmt.Errorf("%w: %q is not a table", ErrNotEditable, at(path[:depth+1]))
		}
		in = next
	}
	var read []Member
	for _, name := range tomlOrder(text, path, slices.Sorted(maps.Keys(in))) {
		value, err := json.Marshal(in[name])
		if err != nil {
			return nil, fmt.Errorf("%w: %q has a value that JSON does not have", ErrNotEditable, at(append(slices.Clone(path), name)))
		}
		read = append(read, Member{Name: name, Value: value})
	}
	return read, nil
}

// tomlElements returns the elements of a list of tables.
func tomlElements(tables []any, name string) ([]Member, error) {
	list := make([]json.RawMessage, len(tables))
	for i, table := range tables {
		var err error
		if list[i], err = json.Marshal(table); err != nil {
			return nil, fmt.Errorf("%w: %q has a value that JSON does not have", ErrNotEditable, name)
		}
	}
	return elements(list), nil
}

// tomlOrder sorts names of a table by their first appearance.
func tomlOrder(text []byte, path, names []string) []string {
	first := map[string]int{}
	for expression := range tomlExpressions(text) {
		in := expression.path
		if len(in) > len(path) && slices.Equal(in[:len(path)], path) {
			if _, seen := first[in[len(path)]]; !seen {
				first[in[len(path)]] = expression.start
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return first[a] - first[b] })
	return names
}
