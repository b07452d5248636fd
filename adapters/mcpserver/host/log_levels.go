package host

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// logRequest is a request of a host of 2026-07-28 that wants log messages of a server. A host
// with a handshake sets one level for all servers instead.
type logRequest struct {
	connection Connection // through which messages for the request leave
	server     domain.ServerID
	level      string
	// ended reports whether the request was answered or cancelled. The entry is removed a
	// little later.
	ended func() bool
}

// SetLogLevel sets the lowest level of log messages that a host with a handshake gets. Until
// then it gets all of them.
func (h *Host) SetLogLevel(level string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logLevel = level
}

// WantLogs passes log messages of the server of that level or above on through the
// connection, until the context of the request ends. It returns the lowest level that any
// request wants from the server. If level is "", the request wants no messages, and WantLogs
// returns "".
func (h *Host) WantLogs(ctx context.Context, c Connection, server domain.ServerID, level string) string {
	if level == "" {
		return ""
	}
	request := &logRequest{connection: c, server: server, level: level, ended: func() bool { return ctx.Err() != nil }}
	h.logRequests.add(request)
	context.AfterFunc(ctx, func() { h.logRequests.remove(request) })
	lowest := ""
	for _, r := range h.logRequests.values() {
		if r.server == server && !r.ended() && (lowest == "" || domain.LogSeverity(r.level) < domain.LogSeverity(lowest)) {
			lowest = r.level
		}
	}
	return lowest
}

// wantsLog reports whether a host with a handshake wants a log message with these parameters.
func (h *Host) wantsLog(params json.RawMessage) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return severity(params) >= domain.LogSeverity(h.logLevel)
}

// notifyLog passes a log message on if the host, or one of its requests, wants it. A host of
// 2026-07-28 gets it once, through the newest such request.
func (h *Host) notifyLog(c Connection, initialized bool, server domain.ServerID, notification ports.Message) {
	switch {
	case initialized && h.wantsLog(notification.Params):
		c = h.connectionFor(server, c)
	case initialized:
		return
	default:
		listener := h.logRequests.newest(func(r *logRequest) bool {
			return r.server == server && !r.ended() && severity(notification.Params) >= domain.LogSeverity(r.level)
		})
		if listener == nil {
			return
		}
		c = listener.connection
	}
	c.Write(jsonrpc.Notification(mcp.MCPMethod(notification.Method), labelled(server, notification.Params)))
}

// labelled returns the parameters of a log message with the server in front of the logger.
func labelled(server domain.ServerID, params json.RawMessage) json.RawMessage {
	logger := ServerPath(server)
	if own := rawjson.Text(rawjson.Member(params, "logger")); own != "" {
		logger += "/" + own
	}
	return rawjson.With(rawjson.Distinct(params, "logger"), "logger", rawjson.Quote(logger))
}

func severity(params json.RawMessage) int {
	return domain.LogSeverity(rawjson.Text(rawjson.Member(params, "level")))
}
