package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const foreignCursor = "the cursor does not belong to this list"

// answerList answers a request for a list with all its definitions, on one page. The function
// definitions may wait.
func (s *Server) answerList(r *request, p params, reply replyFunc, member string, definitions func() ([][]byte, error)) {
	if !rawjson.IsNull(p.member("cursor")) {
		reply(failure(mcp.INVALID_PARAMS, foreignCursor))
		return
	}
	go func() {
		defer s.recoverFrom(r, reply)
		list, err := definitions()
		if err != nil {
			reply(failure(mcp.INTERNAL_ERROR, wording.Reason(err)))
			return
		}
		var result rawjson.Object
		switch {
		case r.modern:
			result = rawjson.Object{}.Members(s.program.cacheable)
		case r.method == jsonrpc.MethodSkillsList:
			result = uncached()
		}
		page := slices.Concat([]byte{'['}, bytes.Join(list, []byte{','}), []byte{']'})
		reply(ports.Answer{Result: result.Raw(member, page).JSON()})
	}()
}

// ownTools returns the definitions of the workbench's own tools, separated by commas, for a host that renders pages
// or one that does not.
func (s *Server) ownTools(pages bool, known wording.Host) json.RawMessage {
	return s.withFindTool(s.program.listing().ownTools(wording.Registration{Dynamic: s.isDynamic(), Pages: pages, ClosesObjects: known.ClosesObjects}), pages)
}

// listTools answers tools/list. Without registered tools the answer is on one page.
func (s *Server) listTools(_ context.Context, r *request, p params, reply replyFunc) {
	if r.modern {
		s.hostConnected()
	}
	cursor := p.member("cursor")
	pages, known := s.rendersPages(), s.knownHost()
	switch {
	case pages && r.modern && rawjson.IsNull(cursor):
		go func() { // the tools of closed toolboxes are read from files
			defer s.recoverFrom(r, reply)
			s.registered.registry.Refresh()
			reply(s.listRegistered(r.modern, pages, known, nil))
		}()
	case pages || s.isDynamic():
		reply(s.listRegistered(r.modern, pages, known, cursor))
	case !rawjson.IsNull(cursor):
		reply(failure(mcp.INVALID_PARAMS, foreignCursor))
	default:
		reply(ports.Answer{Result: slices.Concat(s.listHead(r.modern), s.ownTools(false, known), []byte("]}"))})
	}
}

// listHead returns the beginning of a result of tools/list, up to the definitions.
func (s *Server) listHead(modern bool) []byte {
	if !modern {
		return []byte(`{"tools":[`)
	}
	return slices.Concat([]byte{'{'}, s.program.cacheable, []byte(`,"tools":[`))
}

// listRegistered returns a page of the workbench's own tools and the registered ones.
func (s *Server) listRegistered(modern, pages bool, known wording.Host, cursor json.RawMessage) ports.Answer {
	wanted := rawjson.Text(cursor)
	page, ok := wording.ToolPage(s.listHead(modern), s.ownTools(pages, known), s.registered.registry.Registered(), wanted)
	if ok && (wanted != "" || rawjson.IsNull(cursor)) {
		return ports.Answer{Result: page}
	}
	return failure(mcp.INVALID_PARAMS, foreignCursor+", or the list changed; list the tools from the start")
}
