package lockfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// A place is a value in a definition that contains no other values, or a list of plain values.
type place struct {
	member, path string
	value        json.RawMessage
}

// places are the places of a canonical definition, by path.
type places map[string]place

// Changes implements ports.Definitions.
func (Definitions) Changes(before, after domain.Pin) []domain.DefinitionChange {
	var changes []domain.DefinitionChange
	old, now := placesOf(before), placesOf(after)
	for _, p := range old {
		value := now[p.path].value
		if !bytes.Equal(p.value, value) {
			changes = append(changes, domain.DefinitionChange{Member: p.member, Path: p.path, Before: p.value, After: value})
		}
	}
	for _, p := range now {
		if old[p.path].value == nil {
			changes = append(changes, domain.DefinitionChange{Member: p.member, Path: p.path, After: p.value})
		}
	}
	slices.SortFunc(changes, func(a, b domain.DefinitionChange) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

func placesOf(pin domain.Pin) places {
	found := places{}
	found.addMembers(place{value: pin.Definition})
	return found
}

// addWithin adds the places of a value.
func (p places) addWithin(at place) {
	switch {
	case rawjson.Kind(at.value) == '{' && len(at.value) > len("{}"):
		p.addMembers(at)
	case rawjson.Kind(at.value) == '[' && bytes.ContainsAny(at.value, "{"):
		p.addElements(at)
	default:
		path := at.path
		for n := 2; p[at.path].value != nil; n++ { // a repeated member
			at.path = fmt.Sprintf("%s (%d)", path, n)
		}
		p[at.path] = at
	}
}

func (p places) addMembers(at place) {
	// Canonical JSON can be scanned. A definition that is not JSON has no places.
	_ = rawjson.EachMember(at.value, func(name, value []byte) error {
		path := strings.TrimPrefix(at.path+step(string(name)), ".")
		p.addWithin(place{member: cmp.Or(at.member, string(name)), path: path, value: value})
		return nil
	})
}

func (p places) addElements(at place) {
	i := 0
	_ = rawjson.NewScanner().EachElement(at.value, func(value []byte) error {
		p.addWithin(place{member: at.member, path: at.path + "[" + strconv.Itoa(i) + "]", value: value})
		i++
		return nil
	})
}

// step returns a name as a step of a path. No two places have the same path.
func step(name string) string {
	switch {
	case name == "":
		return `[""]`
	case strings.Trim(name, alphanumeric+"_-$") != "":
		return "[" + strconv.Quote(name) + "]"
	}
	return "." + name
}
