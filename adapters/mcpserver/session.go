package mcpserver

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/ports"
)

// session has what all requests of one host share: what the host is, what it is shown, and the states that servers gave it.
type session struct {
	program    *Program
	host       *host.Host
	registered *Registered // nil if no tools are registered
	finds      bool        // the host has find_tool
	starter    ports.ServerStarter
	states     *stateSeal
	hostInfo   atomic.Pointer[hostInfo]
	reading    chan struct{} // taken while a list of servers is read
	connected  sync.Once     // the host is known, so servers were started for it
}

// hostConnected starts the servers that must be up when their toolboxes are opened. It is called when the host has
// declared its capabilities: in the handshake or, since 2026-07-28, with its first request about the workbench.
func (s *session) hostConnected() { s.connected.Do(s.starter.StartServers) }

// rendersPages reports whether pages are passed on to the host.
func (s *session) rendersPages() bool {
	return s.registered != nil && s.registered.registry.RendersPages()
}

// usesSkills reports whether skills are passed on to the host.
func (s *session) usesSkills() bool {
	return s.program.settings.Skills && extensions.DeclaresSkills(s.host.Capabilities())
}

// moreTools returns the names of the workbench's own tools beside open_toolbox and use_tool.
func (s *session) moreTools() (names []string) {
	listing := s.program.listing()
	if listing.definitions.ReadTool {
		names = append(names, domain.ToolReadTool)
	}
	if listing.fits {
		names = append(names, domain.ToolReadResult)
	}
	if s.finds {
		names = append(names, domain.ToolFindTool)
	}
	return names
}

// accompany makes the messages of a server that works on the request leave through its responder,
// if it has one.
func (s *session) accompany(ctx context.Context, r *request, server domain.ServerID) {
	if r.responder != nil && !r.modern {
		s.host.Accompany(ctx, server, r.responder)
	}
}

// recoverFrom answers a request if its handling panicked.
func (s *session) recoverFrom(r *request, reply replyFunc) {
	if problem := recover(); problem != nil {
		s.program.log.Error("a request failed", "method", r.method, "panic", problem, "stack", string(debug.Stack()))
		reply(failure(mcp.INTERNAL_ERROR, "internal error"))
	}
}
