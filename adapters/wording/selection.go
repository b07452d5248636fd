package wording

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// selectTools returns the opened toolbox with only the tools of these names, in its own
// order, and a line for each name that no tool has. A name is that of a tool of any
// server, or "server/tool".
func selectTools(opened domain.OpenedToolbox, names []string) (selected domain.OpenedToolbox, unknown []string) {
	wanted := map[string]bool{}
	found := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	selected = opened
	selected.Servers = slices.Clone(opened.Servers)
	for i, server := range selected.Servers {
		selected.Servers[i].Tools = slices.DeleteFunc(slices.Clone(server.Tools), func(tool domain.ToolInfo) bool {
			keep := false
			for _, name := range namesOf(server.ID, tool) {
				if wanted[name] {
					keep, found[name] = true, true
				}
			}
			return !keep
		})
	}
	missing := 0
	for _, name := range names {
		if found[name] || hasBlockWarning(opened, name) {
			continue
		}
		found[name] = true // one line is enough
		if missing++; missing <= maxNames {
			unknown = append(unknown, notSelected(opened, name))
		}
	}
	if more := missing - maxNames; more > 0 {
		unknown = append(unknown, fmt.Sprintf("%d more tools not found in toolbox %s", more, domain.QuotedName(opened.Toolbox.Name)))
	}
	return selected, unknown
}

// namesOf returns the names that select a tool: the exact one, and the one that is shown.
func namesOf(server domain.ServerID, tool domain.ToolInfo) []string {
	prefix := string(server.Server) + "/"
	names := []string{tool.Name, prefix + tool.Name}
	if tool.Shown != tool.Name {
		names = append(names, tool.Shown, prefix+tool.Shown)
	}
	return names
}

// hasBlockWarning reports whether a warning already says why a tool is left out.
func hasBlockWarning(opened domain.OpenedToolbox, name string) bool {
	for _, server := range opened.Servers {
		for _, warning := range server.Warnings {
			switch warning.Kind {
			case domain.ChangedToolBlocked, domain.UnknownToolBlocked, domain.UncheckedToolBlocked:
				if name == warning.Tool || name == string(server.ID.Server)+"/"+warning.Tool {
					return true
				}
			default:
			}
		}
	}
	return false
}

// notSelected says that there is no tool with a name, and suggests similar names.
func notSelected(opened domain.OpenedToolbox, name string) string {
	line := fmt.Sprintf("Tool %s not found in toolbox %s", domain.QuotedName(name), domain.QuotedName(opened.Toolbox.Name))
	var candidates []string
	for _, server := range opened.Servers {
		for _, tool := range server.Tools {
			if strings.Contains(name, "/") {
				candidates = append(candidates, string(server.ID.Server)+"/"+tool.Shown)
			}
			candidates = append(candidates, tool.Shown)
		}
	}
	if nearest := domain.AllNearest(name, candidates); len(nearest) > 0 {
		line += "; " + domain.DidYouMean(nearest...)
	}
	return line
}
