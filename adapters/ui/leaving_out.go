package ui

import (
	"slices"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

// filtersShown is for how many servers a page shows the line that leaves tools out.
const filtersShown = 20

// writeLeavingOut writes, for each server, the member of its settings that allows what it allows now, except
// tools that were never used.
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
	w.Element("h2", "Leave them out").Element("p", "This member in the settings of a server leaves out its tools that were never used.")
	for _, id := range order[:min(len(order), filtersShown)] {
		w.Start("h3").Start("a", "href", q.serverLink(id)).Element("bdi", id.Path()).End().End()
		if len(byServer[id]) == total[id] {
			w.Element("p", "None of its tools was used: 'mcp-workbench disable' leaves the whole server out.")
			continue
		}
		w.Element("pre", domain.ToolFiltersMember(q.filter(id).EntriesWithout(byServer[id])), "tabindex", "0", "role", "region", "aria-label", "toolFilters of "+id.Path())
	}
}

// filter returns the filter of a server's tools, which allows all tools of a server that is not configured.
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
