package usage

import (
	"cmp"
	"slices"

	"mcp-workbench/adapters/activity"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// UnusedServer is a server of the configuration with tools that were not called.
type UnusedServer struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	// Tools were not called, the largest definition first.
	Tools []activity.KnownTool `json:"tools"`
	// Tokens is about how many tokens their full definitions use.
	Tokens int `json:"tokens"`
	// Called is the number of tools of the server that were called.
	Called int `json:"called"`
	// ToolFilters is the value of "toolFilters" that leaves the tools out, nil if no tool was called: then
	// the server can be disabled.
	ToolFilters []string `json:"toolFilters,omitempty"`
}

// Unused returns the servers with tools that the summary does not have, the most costly first. Known has the tools of
// servers, as far as they are known.
func (s Summary) Unused(toolboxes []domain.Toolbox, known map[domain.ServerID][]activity.KnownTool) []UnusedServer {
	called := map[domain.ToolIdentifier]bool{}
	for _, tool := range s.Tools {
		called[tool.ID()] = true
	}
	unused := []UnusedServer{}
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			found := UnusedServer{Toolbox: string(server.ID.Toolbox), Server: string(server.ID.Server)}
			var names []string
			for _, tool := range known[server.ID] {
				id := domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name}
				switch {
				case !server.Tools.Allows(tool.Name):
				case called[id]:
					found.Called++
				default:
					found.Tools, names = append(found.Tools, tool), append(names, tool.Name)
					found.Tokens += tool.Tokens
				}
			}
			if len(found.Tools) == 0 {
				continue
			}
			if found.Called > 0 {
				found.ToolFilters = server.Tools.EntriesWithout(names)
			}
			slices.SortStableFunc(found.Tools, func(a, b activity.KnownTool) int { return cmp.Compare(b.Tokens, a.Tokens) })
			unused = append(unused, found)
		}
	}
	slices.SortStableFunc(unused, func(a, b UnusedServer) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return unused
}

// WithLocked adds the tools of a lock to known ones, for the servers whose tools are not known. The lock can
// be nil.
func WithLocked(known map[domain.ServerID][]activity.KnownTool, lock *domain.Lock) map[domain.ServerID][]activity.KnownTool {
	whole := map[domain.ServerID][]activity.KnownTool{}
	if lock != nil {
		for _, server := range lock.Servers {
			for _, tool := range server.Tools {
				if len(tool.Pins) > 0 {
					whole[server.ID] = append(whole[server.ID], activity.KnownTool{
						Name: tool.Name, Tokens: definitions.EstimateTokens(len(tool.Pins[0].Definition)),
					})
				}
			}
		}
	}
	for id, tools := range known {
		whole[id] = tools
	}
	return whole
}
