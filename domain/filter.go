package domain

import (
	"encoding/json"
	"slices"
	"strings"
)

// ToolFilter decides which of a server's tools exist for the host. The zero value allows all.
type ToolFilter struct {
	restricted bool
	names      []string // the allowed ones if restricted, otherwise those left out
}

// OnlyTools returns the filter for a configured list of names. A list with "*" allows all tools
// except those with "!" in front of their names; any other list allows only its names.
func OnlyTools(names []string) ToolFilter {
	if !slices.Contains(names, "*") {
		return ToolFilter{restricted: true, names: slices.Clone(names)}
	}
	var filter ToolFilter
	for _, name := range names {
		if left, ok := LeftOut(name); ok {
			filter.names = append(filter.names, left)
		}
	}
	return filter
}

// LeftOut returns the tool that an entry of a list leaves out: "delete" for "!delete".
func LeftOut(entry string) (tool string, ok bool) {
	tool, ok = strings.CutPrefix(entry, "!")
	return tool, ok && tool != ""
}

// IsList reports whether the filter lists the allowed tools rather than those left out.
func (f ToolFilter) IsList() bool { return f.restricted }

// Allows reports whether the tool with that exact name exists for the host. If a tool is left out, so
// is every tool whose name reads like its name.
func (f ToolFilter) Allows(tool string) bool {
	if f.restricted {
		return slices.Contains(f.names, tool)
	}
	return len(f.names) == 0 || !f.leavesOut(folded(tool))
}

func (f ToolFilter) leavesOut(tool string) bool {
	return slices.ContainsFunc(f.names, func(name string) bool { return folded(name) == tool })
}

// And returns the filter that allows what both allow.
func (f ToolFilter) And(other ToolFilter) ToolFilter {
	switch {
	case !f.restricted && !other.restricted:
		return ToolFilter{names: slices.Concat(f.names, other.names)}
	case !f.restricted:
		return other.And(f)
	}
	return ToolFilter{restricted: true, names: slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return !other.Allows(name) })}
}

// EntriesWithout returns the entries of a configured list that allows what the filter allows, except these
// tools.
func (f ToolFilter) EntriesWithout(tools []string) []string {
	if f.restricted {
		return slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return slices.Contains(tools, name) })
	}
	entries := []string{"*"}
	for _, name := range slices.Concat(f.names, tools) {
		entries = append(entries, "!"+name)
	}
	return entries
}

// ToolFiltersMember returns the member of a server's settings that has these entries, on one line, with
// spaces to break it at.
func ToolFiltersMember(entries []string) string {
	var quoted []string
	for _, entry := range entries {
		text, _ := json.Marshal(entry) // a string has a JSON text
		quoted = append(quoted, string(text))
	}
	return `"toolFilters": [` + strings.Join(quoted, ", ") + "]"
}

// Equal reports whether two filters have the same entries, in any order.
func (f ToolFilter) Equal(other ToolFilter) bool { return f.within(other) && other.within(f) }

// IsWeakerThan reports whether the filter allows a tool that the other one does not.
func (f ToolFilter) IsWeakerThan(other ToolFilter) bool { return !f.within(other) }

// within reports whether the other filter allows every tool that this one does.
func (f ToolFilter) within(other ToolFilter) bool {
	if f.restricted {
		return !slices.ContainsFunc(f.names, func(name string) bool { return !other.Allows(name) })
	}
	return !other.restricted && !slices.ContainsFunc(other.names, f.Allows)
}

// Apply returns the list with only the allowed tools, and the warnings about them and about the
// server.
func (f ToolFilter) Apply(list ToolList) ToolList {
	if !f.restricted && len(f.names) == 0 {
		return list
	}
	shown := map[string]bool{"": true}
	filtered := ToolList{Instructions: list.Instructions, Title: list.Title, FreshFor: list.FreshFor, Expires: list.Expires}
	for _, tool := range list.Tools {
		if f.Allows(tool.Name) {
			filtered.Tools = append(filtered.Tools, tool)
			shown[tool.Shown] = true
		}
	}
	for _, warning := range list.Warnings {
		if shown[warning.Tool] || warning.Kind == ToolLeftOut && f.Allows(warning.Tool) {
			filtered.Warnings = append(filtered.Warnings, warning)
		}
	}
	return filtered
}

// Missing returns the names in the filter that are not among the server's tools. Most of them are
// mistakes in the configuration.
func (f ToolFilter) Missing(tools []ToolInfo) []string {
	var missing []string
	for _, name := range f.names {
		if !slices.ContainsFunc(tools, func(t ToolInfo) bool { return t.Name == name }) {
			missing = append(missing, name)
		}
	}
	return missing
}
