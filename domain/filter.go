package domain

import "slices"

// ToolFilter decides which of a server's tools exist for the host. The zero
// value lets every tool through.
type ToolFilter struct {
	restricted bool
	names      []string
}

// OnlyTools returns the filter for a configured list of names: a list that
// holds "*" lets every tool through, an empty list none.
func OnlyTools(names []string) ToolFilter {
	if slices.Contains(names, "*") {
		return ToolFilter{}
	}
	return ToolFilter{restricted: true, names: slices.Clone(names)}
}

// Allows reports whether the tool of that exact name exists for the host.
func (f ToolFilter) Allows(tool string) bool {
	return !f.restricted || slices.Contains(f.names, tool)
}

// Apply returns the list with only the tools that exist for the host, and the
// warnings about those and about the server.
func (f ToolFilter) Apply(list ToolList) ToolList {
	if !f.restricted {
		return list
	}
	shown := map[string]bool{"": true}
	filtered := ToolList{Instructions: list.Instructions}
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

// Missing returns the names that the filter lists and that are not among the
// server's tools: most often slips in the configuration.
func (f ToolFilter) Missing(tools []ToolInfo) []string {
	var missing []string
	for _, name := range f.names {
		if !slices.ContainsFunc(tools, func(t ToolInfo) bool { return t.Name == name }) {
			missing = append(missing, name)
		}
	}
	return missing
}
