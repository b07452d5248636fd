package sessions

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// starter connects to servers for one host. It does not know what was started before.
type starter struct {
	connector ports.Connector
	host      ports.Host
	pins      *pinning.Pinning // nil when there is no lock to apply
	listings  ports.Listings   // nil when none are kept
	ownership *Ownership
	watcher   Watcher // nil if tools are not followed
	log       *slog.Logger
}

// connect connects to a server, sets the log level that the host wants by then, and lists
// the server's tools. The context carries the limit on connecting.
func (s *starter) connect(
	ctx context.Context, server domain.Server, progress *startProgress, logLevel func() string,
) (*Connection, error) {
	idle := newIdleness(server.Limits.Idle)
	keeper := s.newKeeper(server)
	tools := &toolList{toolRules: toolRules{server: server, pins: s.pins, keepsWhole: keeper != nil, log: s.log}}
	refresher := &toolRefresher{tools: tools, idle: idle, keeper: keeper, watcher: s.watcher, log: s.log}
	session, err := s.connector.Connect(ctx, server, &serverHost{
		Host: s.host, ownership: s.ownership, log: s.log, startProgress: progress, idle: idle, tools: refresher,
		notices: newNotices(func(notice ports.Notification) { s.host.Notify(server.ID, notice) }),
	}, &serverPolicy{server: server.ID, pins: s.pins, log: s.log})
	if err != nil {
		return nil, err
	}
	progress.connected()
	if level := logLevel(); level != "" {
		session.SetLogLevel(level)
	}
	tools.hasPrompts, tools.hasResources = session.Declares("prompts"), session.Declares("resources")
	if err := refresher.listFirst(ctx, session); err != nil {
		s.closeSession(context.WithoutCancel(ctx), session, server.Limits.Shutdown)
		return nil, err
	}
	if keeper != nil && string(s.hostCapabilities(server)) != string(keeper.capabilities) {
		refresher.keeper = nil // the host changed its capabilities, so the tools may be for either
	}
	return &Connection{
		Session: session, session: session, Server: server, tools: tools, refresher: refresher,
		life: newLifetime(session), idle: idle, log: s.log, announces: session.Declares("tools", "listChanged"),
	}, nil
}

// hostCapabilities returns the capabilities of the host that a server is told.
func (s *starter) hostCapabilities(server domain.Server) json.RawMessage {
	if server.Shared { // several hosts share the session
		return json.RawMessage("{}")
	}
	return s.host.Capabilities()
}

// isLazy reports whether the tools that a server listed last may be shown before it is up.
func (s *starter) isLazy(server domain.Server) bool {
	return server.Start.IsLazy() && s.pins != nil && s.listings != nil
}

// newKeeper returns the keeper of a server's listings, nil if they are not kept.
func (s *starter) newKeeper(server domain.Server) *listingKeeper {
	if !s.isLazy(server) {
		return nil
	}
	return &listingKeeper{listings: s.listings, server: server, capabilities: s.hostCapabilities(server)}
}

// forget forgets what a server listed last, since it could not be started.
func (s *starter) forget(server domain.Server) {
	if s.isLazy(server) {
		s.listings.Forget(server, s.hostCapabilities(server))
	}
}

// closeSession closes one session. Its server is killed when the limit is over or the
// context ends.
func (s *starter) closeSession(ctx context.Context, session ports.Requests, limit time.Duration) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := session.Close(bounded); err != nil {
		s.log.Warn("could not close a session", "error", err)
	}
}

// serverHost is the host as one server reaches it. It does not pass on that the server's
// tools changed, since the workbench lists them itself, nor notifications that do not
// concern the host.
type serverHost struct {
	ports.Host
	*startProgress
	ownership *Ownership
	idle      *idleness
	tools     *toolRefresher
	log       *slog.Logger
	notices   *notices
}

var (
	_ ports.StartWatcher = (*serverHost)(nil)
	_ ports.RequestTaker = (*serverHost)(nil)
)

// TakesRequests implements ports.RequestTaker.
func (h *serverHost) TakesRequests() bool { return ports.TakesRequests(h.Host) }

// Notify implements ports.Host.
func (h *serverHost) Notify(server domain.ServerID, notification ports.Notification) {
	if notification.Kind == ports.ToolsChanged {
		h.tools.markChanged()
		return
	}
	if !h.ownership.Concerns(server, notification) {
		h.log.Debug("dropped a notification, since it is not for the host or concerns another server",
			"toolbox", server.Toolbox, "server", server.Server, "method", domain.ShownText(notification.Method))
		return
	}
	if !h.notices.take(notification) {
		h.Host.Notify(server, notification)
	}
}

// Request implements ports.Host. A server that waits for an answer is not idle.
func (h *serverHost) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	if h.idle == nil || !h.idle.enter() {
		h.Host.Request(ctx, server, request, reply)
		return
	}
	h.Host.Request(ctx, server, request, func(answer ports.Answer, err error) {
		defer h.idle.leave()
		reply(answer, err)
	})
}

// serverPolicy keeps words of one server out of messages while the lock lets a model read only what is locked.
type serverPolicy struct {
	server domain.ServerID
	pins   *pinning.Pinning // nil when there is no lock to apply
	log    *slog.Logger
}

var _ ports.ServerPolicy = (*serverPolicy)(nil)

// Withholds implements ports.ServerPolicy. It logs the words that it withholds.
func (p *serverPolicy) Withholds(words string) bool {
	if !p.pins.Blocks() {
		return false
	}
	p.log.Warn("withheld text of the server, since the policy shows models only what is locked", "toolbox", p.server.Toolbox, "server", p.server.Server, "words", words)
	return true
}

// LoginRefused implements ports.ServerPolicy. The failure of the request says enough.
func (*serverPolicy) LoginRefused() {}
