package ui

import (
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

func (q *request) leaveOut(never, all []*tool) []leftOut {
	byServer, total := map[domain.ServerID][]string{}, map[domain.ServerID]int{}
	var order []domain.ServerID
	for _, t := range all {
		total[t.ID.ServerID()]++
	}
	for _, t := range never {
		id := t.ID.ServerID()
		if byServer[id] == nil {
			order = append(order, id)
		}
		byServer[id] = append(byServer[id], t.ID.Tool)
	}
	slices.SortFunc(order, domain.ServerID.Compare)
	var servers []leftOut
	for _, id := range order[:min(len(order), filtersShown)] {
		server := leftOut{ID: id}
		if len(byServer[id]) < total[id] {
			server.Member = domain.ToolFiltersMember(q.filter(id).EntriesWithout(byServer[id]))
		}
		servers = append(servers, server)
	}
	return servers
}

// filter returns the filter of a server's tools. For a server that is not configured, it allows all tools.
func (q *request) filter(id domain.ServerID) domain.ToolFilter {
	for server := range domain.ServersOf(q.pages.observed.toolboxes()) {
		if server.ID == id {
			return server.Tools
		}
	}
	return domain.ToolFilter{}
}
