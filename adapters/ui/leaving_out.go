package ui

import (
	"maps"
	"slices"

	"mcp-workbench/domain"
)

// filtersShown is the number of servers for which a page shows how to leave out tools.
const filtersShown = 20

// leftOut is a server with the member of its settings that leaves out the tools that were never used and otherwise keeps
// its filter. The member is empty if none of its tools was used.
type leftOut struct {
	ID     domain.ServerID
	Member string
}

// leaveOut returns the servers of the tools that were never used, which are among all tools.
func (b *board) leaveOut(never, all []*tool) []leftOut {
	unused, total := map[domain.ServerID][]string{}, map[domain.ServerID]int{}
	for _, t := range all {
		total[t.ID.ServerID()]++
	}
	for _, t := range never {
		unused[t.ID.ServerID()] = append(unused[t.ID.ServerID()], t.ID.Tool)
	}
	servers := slices.SortedFunc(maps.Keys(unused), domain.ServerID.Compare)
	var shown []leftOut
	for _, id := range servers[:min(len(servers), filtersShown)] {
		server := leftOut{ID: id}
		if len(unused[id]) < total[id] {
			server.Member = domain.ToolFiltersMember(b.servers[id].filter.EntriesWithout(unused[id]))
		}
		shown = append(shown, server)
	}
	return shown
}
