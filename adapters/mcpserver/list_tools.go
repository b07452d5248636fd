package mcpserver

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// toolLists answers requests for the tools that a host is shown.
type toolLists struct{ *session }

// ownTools returns the definitions of the workbench's own tools, separated by commas, for a host that renders pages
// or one that does not.
func (l *toolLists) ownTools(pages bool, known wording.Host) json.RawMessage {
	return l.withFindTool(l.program.listing().ownTools(wording.Registration{Dynamic: l.isDynamic(), Pages: pages, ClosesObjects: known.ClosesObjects}), pages)
}

// listTools answers tools/list. Without registered tools the answer is on one page.
func (l *toolLists) listTools(ctx context.Context, r *request, p params, reply replyFunc) {
	if r.modern {
		l.hostConnected()
	}
	cursor := p.member("cursor")
	pages, known := l.rendersPages(), l.knownHost()
	switch {
	case pages && r.modern && rawjson.IsNull(cursor), r.responder != nil && (pages || l.isDynamic()):
		go func() { // the tools of closed toolboxes may be read from files, and others may wait for their turn
			defer l.recoverFrom(r, reply)
			if pages && r.modern && rawjson.IsNull(cursor) {
				l.registered.registry.Refresh()
			}
			var page ports.Answer
			if err := l.makeInTurn(ctx, func() { page = l.listRegistered(r.modern, pages, known, cursor) }); err != nil {
				page = failure(mcp.INTERNAL_ERROR, wording.Reason(err))
			}
			reply(page)
		}()
	case pages || l.isDynamic():
		reply(l.listRegistered(r.modern, pages, known, cursor))
	case !rawjson.IsNull(cursor):
		reply(failure(mcp.INVALID_PARAMS, foreignCursor))
	default:
		reply(ports.Answer{Result: slices.Concat(l.listHead(r.modern), l.ownTools(false, known), []byte("]}"))})
	}
}

// listHead returns the beginning of a result of tools/list, up to the definitions.
func (l *toolLists) listHead(modern bool) []byte {
	if !modern {
		return []byte(`{"tools":[`)
	}
	return slices.Concat([]byte{'{'}, l.program.cacheable, []byte(`,"tools":[`))
}

// listRegistered returns a page of the workbench's own tools and the registered ones.
func (l *toolLists) listRegistered(modern, pages bool, known wording.Host, cursor json.RawMessage) ports.Answer {
	wanted := rawjson.Text(cursor)
	page, ok := wording.ToolPage(l.listHead(modern), l.ownTools(pages, known), l.registered.registry.Registered(), wanted)
	if ok && (wanted != "" || rawjson.IsNull(cursor)) {
		return ports.Answer{Result: page}
	}
	return failure(mcp.INVALID_PARAMS, foreignCursor+", or the list changed; list the tools from the start")
}

// withFindTool returns the definitions of the workbench's own tools, including find_tool if it exists.
func (l *toolLists) withFindTool(tools json.RawMessage, pages bool) json.RawMessage {
	if !l.finds {
		return tools
	}
	return slices.Concat(tools, json.RawMessage{','}, wording.FindToolDefinition(pages))
}
