package mcpclient

import (
	"context"
	"log/slog"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Peer passes on what one server says and asks on its own. A transport makes one
// for each link and hands it to Connect too.
type Peer struct {
	server domain.Server
	host   ports.Host
	log    *slog.Logger
}

// NewPeer returns the peer of a server whose messages go to the host.
func NewPeer(server domain.Server, host ports.Host, log *slog.Logger) *Peer {
	return &Peer{server: server, host: host, log: log}
}

// told takes a notification. What servers log is in the workbench's own log too.
func (p *Peer) told(notification ports.Message) {
	if notification.Method == domain.MethodNotificationMessage && p.log.Enabled(context.Background(), slog.LevelDebug) {
		p.log.Debug("the server logged", "level", jsonscan.Text(jsonscan.Member(notification.Params, "level")),
			"data", p.server.Secrets.Redact(string(jsonscan.Member(notification.Params, "data"))))
	}
	p.host.Notify(p.server.ID, notification)
}

// asked takes a request; reply is called exactly once.
func (p *Peer) asked(ctx context.Context, request ports.Message, reply ports.Reply) {
	p.host.Request(ctx, p.server.ID, request, reply)
}
