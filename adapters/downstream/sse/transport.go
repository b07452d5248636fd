package sse

import (
	"context"
	"log/slog"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Transport connects to servers over HTTP+SSE. Safe for concurrent use.
type Transport struct {
	web.SettingsReader
	identity mcpclient.Identity
	logins   *oauth.Client
	log      *slog.Logger
}

// New returns a transport that introduces itself to servers with identity. Without logins, which
// may be nil, it cannot log in.
func New(identity mcpclient.Identity, logins *oauth.Client, log *slog.Logger) *Transport {
	return &Transport{identity: identity, logins: logins, log: log}
}

// Connect implements ports.Connector: it opens the stream at the URL, waits for the address for
// messages, and shakes hands.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	messages := mcpclient.NewServerMessages(server, host, policy, web.Redactor(server, t.logins), log)
	endpoint, err := web.NewEndpoint(server, t.identity.Name+"/"+t.identity.Version, t.logins, policy.LoginRefused)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	link := newLink(endpoint, messages, server.Limits, log)
	err = link.open(ctx)
	var session *mcpclient.Session
	if err == nil {
		session, err = mcpclient.Connect(ctx, link, messages, t.identity)
	} else {
		err = messages.Unavailable(ctx, err)
	}
	if err != nil {
		_ = link.Close(context.WithoutCancel(ctx)) // the failure is already known
		return nil, err
	}
	return session, nil
}
