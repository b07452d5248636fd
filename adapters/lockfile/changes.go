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

// place is a value in a definition without values inside it. A list of plain values
// is one place too, since it reads better as a whole.
type place struct {
	member, path string
	value        json.RawMessage
}

// Changes implements ports.Definitions.
func (Definitions) Changes(before, after domain.Pin) []domain.DefinitionChange {
	var changes []domain.DefinitionChange
	old, now := places(before.Definition), places(after.Definition)
	for _, p := range old {
		value := valueAt(now, p.path)
		if !bytes.Equal(p.value, value) {
			changes = append(changes, domain.DefinitionChange{Member: p.member, Path: p.path, Before: p.value, After: value})
		}
	}
	for _, p := range now {
		if valueAt(old, p.path) == nil {
			changes = append(changes, domain.DefinitionChange{Member: p.member, Path: p.path, After: p.value})
		}
	}
	slices.SortStableFunc(changes, func(a, b domain.DefinitionChange) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

func valueAt(places map[string]place, path string) json.RawMessage { return places[path].value }

// places returns the places of a canonical definition by their paths.
func places(definition json.RawMessage) map[string]place {
	found := finding{places: map[string]place{}}
	found.members(place{value: definition})
	return found.places
}

// finding collects the places of one definition.
type finding struct{ places map[string]place }

// within adds the places of a value.
func (f finding) within(at place) {
	switch {
	case rawjson.Kind(at.value) == '{' && len(at.value) > len("{}"):
		f.members(at)
	case rawjson.Kind(at.value) == '[' && bytes.ContainsAny(at.value, "{"):
		f.elements(at)
	default:
		f.add(at)
	}
}

// add adds one place. Places with the same path get a number.
func (f finding) add(at place) {
	path := at.path
	for n := 2; f.places[path].value != nil; n++ {
		path = fmt.Sprintf("%s (%d)", at.path, n)
	}
	at.path = path
	f.places[path] = at
}

func (f finding) members(at place) {
	// Canonical JSON can be scanned. A definition that is not JSON has no places.
	_ = rawjson.EachMember(at.value, func(name, value []byte) error {
		next := place{member: cmp.Or(at.member, string(name)), path: at.path + step(string(name)), value: value}
		next.path = strings.TrimPrefix(next.path, ".")
		f.within(next)
		return nil
	})
}

func (f finding) elements(at place) {
	i := 0
	_ = rawjson.NewScanner().EachElement(at.value, func(value []byte) error {
		f.within(place{member: at.member, path: at.path + "[" + strconv.Itoa(i) + "]", value: value})
		i++
		return nil
	})
}

// step returns a name as a step of a path. Every path can be read in one way only.
func step(name string) string {
	if name == "" {
		return `[""]`
	}
	for _, r := range name {
		plain := r == '_' || r == '-' || r == '$' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !plain {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	return "." + name
}
