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
	definition, _ := rawjson.Parse(pin.Definition) // one that is not JSON has no places
	for _, member := range definition.Parts {
		found.add(member.Name, strings.TrimPrefix(step(member.Name), "."), member.Value)
	}
	return found
}

// add adds the places of a value in a member of the definition.
func (p places) add(member, path string, value rawjson.Value) {
	switch {
	case value.Kind == '{' && len(value.Parts) > 0:
		for _, part := range value.Parts {
			p.add(member, path+step(part.Name), part.Value)
		}
	case value.Kind == '[' && bytes.ContainsAny(value.Raw, "{"):
		for i, part := range value.Parts {
			p.add(member, fmt.Sprintf("%s[%d]", path, i), part.Value)
		}
	default:
		own := path
		for n := 2; p[own].value != nil; n++ { // a repeated member
			own = fmt.Sprintf("%s (%d)", path, n)
		}
		p[own] = place{member, own, value.Raw}
	}
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
