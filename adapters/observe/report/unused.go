package report

import (
	"cmp"
	"maps"
	"slices"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// UnusedServer is a server of the configuration with tools that were not called.
type UnusedServer struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	// Tools are those that were not called, the largest definition first.
	Tools []activity.KnownTool `json:"tools"`
	// Tokens is the approximate number of tokens in their full definitions.
	Tokens int `json:"tokens"`
	// Called is the number of tools of the server that were called.
	Called int `json:"called"`
	// NeverStarted is set when the server was not started either.
	NeverStarted bool `json:"neverStarted,omitempty"`
	// ToolFilters is the value of "toolFilters" that leaves these tools out. It is nil if no tool was called:
	// then the whole server can be disabled.
	ToolFilters []string `json:"toolFilters,omitempty"`
}

// Unused returns the servers with tools that are not in the summary, the most costly first. The argument known has
// the known tools by server.
func (s Summary) Unused(toolboxes []domain.Toolbox, known map[domain.ServerID][]activity.KnownTool) []UnusedServer {
	called := map[domain.ToolIdentifier]bool{}
	for _, tool := range s.Tools {
		called[tool.ID()] = true
	}
	unused := []UnusedServer{}
	for server := range domain.ServersOf(toolboxes) {
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
		found.NeverStarted = found.Called == 0 && !s.started[server.ID]
		if found.Called > 0 {
			found.ToolFilters = server.Tools.EntriesWithout(names)
		}
		slices.SortStableFunc(found.Tools, func(a, b activity.KnownTool) int { return cmp.Compare(b.Tokens, a.Tokens) })
		unused = append(unused, found)
	}
	slices.SortStableFunc(unused, func(a, b UnusedServer) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return unused
}

// WithLocked returns the known tools and, for servers without known tools, those of a lock. The lock can be
// nil.
func WithLocked(known map[domain.ServerID][]activity.KnownTool, lock *domain.Lock) map[domain.ServerID][]activity.KnownTool {
	whole := map[domain.ServerID][]activity.KnownTool{}
	if lock != nil {
		for _, server := range lock.Servers {
			for _, tool := range server.Tools {
				if len(tool.Pins) > 0 {
					whole[server.ID] = append(whole[server.ID], activity.KnownTool{
						Name: tool.Name, Tokens: definitions.Tokens(tool.Pins[0].Definition),
					})
				}
			}
		}
	}
	maps.Copy(whole, known)
	return whole
}
