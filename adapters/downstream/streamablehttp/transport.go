package streamablehttp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Transport connects to servers over streamable HTTP. Safe for concurrent use.
type Transport struct {
	web.SettingsReader
	identity mcpclient.Identity
	older    ports.Connector
	logins   *oauth.Client
	log      *slog.Logger
	versions sync.Map // eraOf to the protocol version of the last connection
}

// New returns a transport that introduces itself to servers with identity. Older connects to a
// server that turns out to speak HTTP+SSE of 2024-11-05, with the same settings. Without logins,
// which may be nil, the transport cannot log in.
func New(identity mcpclient.Identity, older ports.Connector, logins *oauth.Client, log *slog.Logger) *Transport {
	return &Transport{identity: identity, older: older, logins: logins, log: log}
}

// Connect implements ports.Connector: it shakes hands with the server at the URL.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	messages := mcpclient.NewServerMessages(server, host, policy, web.Redactor(server, t.logins), log)
	endpoint, err := web.NewEndpoint(server, t.identity.Name+"/"+t.identity.Version, t.logins, policy.LoginRefused)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	link := newLink(endpoint, &t.versions, messages, server, log)
	session, err := mcpclient.Connect(ctx, link, messages, t.identity)
	if err == nil {
		return session, nil
	}
	isOlder := link.announced.Load() || link.mayBeOlder() && link.announcesEndpoint(ctx)
	_ = link.Close(context.WithoutCancel(ctx)) // the failure is already known
	if !isOlder {
		return nil, err
	}
	log.Info("the server speaks the older HTTP+SSE; \"transport\": \"sse\" in its settings saves the first attempt", "origin", endpoint.Origin())
	return t.older.Connect(ctx, server, host, policy)
}

// eraOf are the connections to a server that agree on one version: those for hosts that take requests, or for others.
type eraOf struct {
	server        domain.ServerID
	takesRequests bool
}

// errOlder says that the server answers with a stream of HTTP+SSE.
var errOlder = errors.New("the server speaks the older HTTP+SSE")

// mayBeOlder reports whether initialize was refused as servers of 2024-11-05 do (2025-11-25, transports, backwards
// compatibility): for an address that ends as theirs do, in any way that is not about rights.
func (l *link) mayBeOlder() bool {
	switch status := l.initializeStatus.Load(); status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	case 0, http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests:
		return false
	default:
		return l.endpoint.HasOlderPath()
	}
}

// announceTime is the longest time a server of 2024-11-05 may take to name its address.
const announceTime = 5 * time.Second

// announcesEndpoint reports whether the server answers like one of 2024-11-05, with a stream whose
// first event names another address.
func (l *link) announcesEndpoint(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, announceTime)
	defer cancel()
	body, err := l.endpoint.OpenStream(ctx, l.session.preHandshake.listening)
	if err != nil {
		return false
	}
	defer func() { _ = body.Close() }() // the needed part was read
	events := web.NewEvents(body, l.limit)
	defer events.Release()
	event, err := events.Next()
	return err == nil && event.Type == "endpoint"
}
