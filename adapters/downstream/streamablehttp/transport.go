package streamablehttp

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Transport reaches servers by streamable HTTP. Safe for concurrent use.
type Transport struct {
	identity     mcpclient.Identity
	older        ports.Connector
	logins       *oauth.Client
	log          *slog.Logger
	lastVersions sync.Map // domain.ServerID to *lastVersion
}

// New returns the transport. Identity is what servers are told about the
// workbench; older connects to a server that turns out to speak the HTTP+SSE of
// 2024-11-05, with the same settings. Logins are those of servers that want one, nil for
// none.
func New(identity mcpclient.Identity, older ports.Connector, logins *oauth.Client, log *slog.Logger) *Transport {
	return &Transport{identity: identity, older: older, logins: logins, log: log}
}

// Keys implements ports.Transport.
func (*Transport) Keys() []string { return web.Keys() }

// Check implements ports.Transport.
func (*Transport) Check(settings json.RawMessage) error { return web.Check(settings) }

// Traits implements ports.Transport.
func (*Transport) Traits(settings json.RawMessage) domain.Traits { return web.Traits(settings) }

// Connect implements ports.Connector: it shakes hands with the server at the URL.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	if t.logins != nil {
		server.HideLearned = t.logins.Redact
	}
	endpoint, err := web.NewEndpoint(server, t.identity.Name+"/"+t.identity.Version, t.logins)
	if err != nil {
		return nil, mcpclient.Unavailable(ctx, server, err)
	}
	messages := mcpclient.NewServerMessages(server, host, log)
	link := newLink(endpoint, t.lastVersionOf(server.ID), messages, server.Limits, log)
	session, err := mcpclient.Connect(ctx, link, messages, t.identity)
	if err == nil {
		return session, nil
	}
	isOlder := link.mayBeOlder() && link.announcesEndpoint(ctx)
	_ = link.Close(context.WithoutCancel(ctx)) // the failure is already known
	if !isOlder {
		return nil, err
	}
	log.Info("the server speaks the older HTTP+SSE; \"transport\": \"sse\" spares the attempt", "origin", endpoint.Origin())
	return t.older.Connect(ctx, server, host)
}

// lastVersion is the protocol version that a server spoke at the last connection: a
// server that needed a handshake will need it again. Safe for concurrent use.
type lastVersion struct{ version atomic.Pointer[string] }

func (v *lastVersion) set(version string) { v.version.Store(&version) }

// get returns the version, "" if the server was never connected to.
func (v *lastVersion) get() string {
	if version := v.version.Load(); version != nil {
		return *version
	}
	return ""
}

func (t *Transport) lastVersionOf(server domain.ServerID) *lastVersion {
	kept, _ := t.lastVersions.LoadOrStore(server, &lastVersion{})
	return kept.(*lastVersion)
}

// mayBeOlder reports whether initialize was refused as servers of 2024-11-05 refuse it
// (2025-11-25, transports, backwards compatibility).
func (l *link) mayBeOlder() bool {
	switch l.initializeStatus.Load() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// announceTime is how long such a server may take to name its address.
const announceTime = 5 * time.Second

// announcesEndpoint reports whether the server answers as one of 2024-11-05: with
// a stream that begins by naming another address.
func (l *link) announcesEndpoint(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, announceTime)
	defer cancel()
	response, err := l.endpoint.Do(ctx, "GET", l.session.preHandshake.listening, nil)
	if err != nil {
		return false
	}
	defer closeBody(response)
	if response.StatusCode != http.StatusOK || web.MediaType(response) != eventType {
		return false
	}
	events := web.NewEvents(response.Body, l.limit)
	defer events.Release()
	event, err := events.Next()
	return err == nil && event.Type == "endpoint"
}
