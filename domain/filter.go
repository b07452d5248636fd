package domain

import (
	"slices"
	"strings"
)

// ToolFilter decides which of a server's tools exist for the host. The zero
// value lets every tool through.
type ToolFilter struct {
	restricted bool
	names      []string // when restricted, those that exist, otherwise those that do not
}

// OnlyTools returns the filter for a configured list of names. A list that holds "*"
// lets every tool through but those that it names with "!" in front; any other list
// lets exactly its names through, an empty one none.
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

// IsList reports whether the filter lists the tools that exist, rather than those that do
// not.
func (f ToolFilter) IsList() bool { return f.restricted }

// Allows reports whether the tool of that exact name exists for the host. A name that only
// reads like one that is left out is left out, too.
func (f ToolFilter) Allows(tool string) bool {
	if f.restricted {
		return slices.Contains(f.names, tool)
	}
	return len(f.names) == 0 || !f.leavesOut(folded(tool))
}

func (f ToolFilter) leavesOut(tool string) bool {
	return slices.ContainsFunc(f.names, func(name string) bool { return folded(name) == tool })
}

// And returns the filter that lets through what both let through.
func (f ToolFilter) And(other ToolFilter) ToolFilter {
	switch {
	case !f.restricted && !other.restricted:
		return ToolFilter{names: slices.Concat(f.names, other.names)}
	case !f.restricted:
		return other.And(f)
	}
	return ToolFilter{restricted: true, names: slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return !other.Allows(name) })}
}

// Equal reports whether two filters are written alike, in any order.
func (f ToolFilter) Equal(other ToolFilter) bool { return f.within(other) && other.within(f) }

// IsWeakerThan reports whether the filter lets a tool through that the other does not.
func (f ToolFilter) IsWeakerThan(other ToolFilter) bool { return !f.within(other) }

// within reports whether the other filter lets every tool through that this one does.
func (f ToolFilter) within(other ToolFilter) bool {
	if f.restricted {
		return !slices.ContainsFunc(f.names, func(name string) bool { return !other.Allows(name) })
	}
	return !other.restricted && !slices.ContainsFunc(other.names, f.Allows)
}

// Apply returns the list with only the tools that exist for the host, and the
// warnings about those and about the server.
func (f ToolFilter) Apply(list ToolList) ToolList {
	if !f.restricted && len(f.names) == 0 {
		return list
	}
	shown := map[string]bool{"": true}
	filtered := ToolList{Instructions: list.Instructions, FreshFor: list.FreshFor, Expires: list.Expires}
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

// Missing returns the names that the filter lists, to let through or to leave out, and
// that are not among the server's tools: most often mistakes in the configuration.
func (f ToolFilter) Missing(tools []ToolInfo) []string {
	var missing []string
	for _, name := range f.names {
		if !slices.ContainsFunc(tools, func(t ToolInfo) bool { return t.Name == name }) {
			missing = append(missing, name)
		}
	}
	return missing
}
