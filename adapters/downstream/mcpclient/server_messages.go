package mcpclient

import (
	"context"
	"encoding/json"
	"log/slog"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ServerMessages passes on the notifications and requests that one server sends on
// its own. A transport makes one for each link and hands it to Connect too.
type ServerMessages struct {
	server domain.Server
	host   ports.Host
	log    *slog.Logger
}

// NewServerMessages returns what passes the messages of a server on to the host.
func NewServerMessages(server domain.Server, host ports.Host, log *slog.Logger) *ServerMessages {
	return &ServerMessages{server: server, host: host, log: log}
}

// notify passes a notification on. What servers log is in the workbench's own log
// too, and has a level that there is.
func (m *ServerMessages) notify(notification ports.Message) {
	if notification.Method == domain.MethodNotificationMessage {
		notification.Params = withLevel(notification.Params)
	}
	if notification.Method == domain.MethodNotificationMessage && m.log.Enabled(context.Background(), slog.LevelDebug) {
		m.log.Debug("the server logged", "level", rawjson.Text(rawjson.Member(notification.Params, "level")),
			"data", m.server.Secrets.Redact(string(rawjson.Member(notification.Params, "data"))))
	}
	m.host.Notify(m.server.ID, notification)
}

// withLevel returns the parameters of a log message with the level info in place of one that
// the protocol does not have.
func withLevel(params json.RawMessage) json.RawMessage {
	params = rawjson.Distinct(params, "level")
	if domain.IsLogLevel(rawjson.Text(rawjson.Member(params, "level"))) {
		return params
	}
	return rawjson.With(params, "level", rawjson.Quote(domain.UsualLogLevel))
}

// request passes a request on; reply is called exactly once.
func (m *ServerMessages) request(ctx context.Context, request ports.Message, reply ports.Reply) {
	m.host.Request(ctx, m.server.ID, request, reply)
}
