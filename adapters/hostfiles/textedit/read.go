package textedit

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// ReadJSON is the Read of JSON. It returns nil if the path does not exist.
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

// elements returns the elements of a list, named by their member "name", or "id" without one.
func elements(list []json.RawMessage) []Member {
	read := []Member{}
	for _, element := range list {
		var named struct{ Name, ID string }
		_ = json.Unmarshal(element, &named) // others have no name
		read = append(read, Member{Name: cmp.Or(named.Name, named.ID), Value: element})
	}
	return read
}
