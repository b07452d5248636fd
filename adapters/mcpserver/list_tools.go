package mcpserver

import (
	"encoding/json"
	"slices"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
)

// listTools answers tools/list. Without registered tools the answer is always the
// same, on one page.
func (s *Server) listTools(e *exchange, p params) answer {
	switch {
	case s.dynamic != nil:
		return s.listRegistered(e.modern, p.cursor)
	case !jsonscan.IsNull(p.cursor):
		return refusal(jsonrpc.CodeInvalidParams, "the cursor is not one of this list")
	}
	return answer{result: slices.Concat(s.listHead(e.modern), s.ownTools(), []byte("]}"))}
}

// listHead returns what the results of tools/list begin with, up to the definitions.
func (s *Server) listHead(modern bool) []byte {
	if !modern {
		return []byte(`{"tools":[`)
	}
	head := s.cacheable().JSON()
	return append(head[:len(head)-1], `,"tools":[`...)
}

// listRegistered returns a page of the workbench's own tools and the registered
// ones.
func (s *Server) listRegistered(modern bool, cursor json.RawMessage) answer {
	list := s.registeredPages(modern)
	if jsonscan.IsNull(cursor) {
		return answer{result: list.First()}
	}
	if page, ok := list.Page(jsonscan.Text(cursor)); ok {
		return answer{result: page}
	}
	return refusal(jsonrpc.CodeInvalidParams, "the cursor is not one of this list, or the list changed; list the tools from the start")
}

// registeredPages returns the current pages. They are made once for each change.
func (s *Server) registeredPages(modern bool) *present.ToolPages {
	made := &s.dynamic.pages
	if modern {
		made = &s.dynamic.modernPages
	}
	registered := s.dynamic.registry.Registered()
	if pages := made.Load(); pages != nil && pages.Version() == registered.Version {
		return pages
	}
	pages := present.NewToolPages(s.listHead(modern), s.ownTools(), registered)
	made.Store(pages)
	return pages
}
