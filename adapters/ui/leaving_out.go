package ui

import (
	"slices"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

// filtersShown is the number of servers for which a page shows how to leave out tools.
const filtersShown = 20

// writeLeavingOut writes, for each server, the member of its settings that leaves out the tools that were never used
// and otherwise keeps its filter.
func (q *request) writeLeavingOut(w *html.Writer, never, all []*tool) {
	byServer, total := map[domain.ServerID][]string{}, map[domain.ServerID]int{}
	var order []domain.ServerID
	for _, t := range all {
		total[t.id.ServerID()]++
	}
	for _, t := range never {
		id := t.id.ServerID()
		if byServer[id] == nil {
			order = append(order, id)
		}
		byServer[id] = append(byServer[id], t.id.Tool)
	}
	slices.SortFunc(order, domain.ServerID.Compare)
	w.Element("h2", "Leave them out").Element("p", "These members in the settings of servers leave out the tools that were never used.")
	for _, id := range order[:min(len(order), filtersShown)] {
		w.Start("h3").Start("a", "href", q.serverLink(id)).Element("bdi", id.Path()).End().End()
		if len(byServer[id]) == total[id] {
			w.Element("p", "None of its tools was used: 'mcp-workbench disable' leaves out the whole server.")
			continue
		}
		w.Element("pre", domain.ToolFiltersMember(q.filter(id).EntriesWithout(byServer[id])), "tabindex", "0", "role", "region", "aria-label", "toolFilters of "+id.Path())
	}
}

// filter returns the filter of a server's tools. For a server that is not configured, it allows all tools.
func (q *request) filter(id domain.ServerID) domain.ToolFilter {
	for _, toolbox := range q.pages.observed.toolboxes() {
		for _, server := range toolbox.Servers {
			if server.ID == id {
				return server.Tools
			}
		}
	}
	return domain.ToolFilter{}
}
