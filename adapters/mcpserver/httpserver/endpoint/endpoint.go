package endpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/adapters/mcpserver/httpserver/certificate"
	"mcp-workbench/adapters/mcpserver/httpserver/guard"
	"mcp-workbench/adapters/mcpserver/httpserver/resource"
	"mcp-workbench/adapters/mcpserver/httpserver/tokens"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/adapters/ui"
)

// The paths of an endpoint for hosts, for metrics, for pages and for probes.
const (
	MCPPath     = "/mcp"
	MetricsPath = "/metrics"
	PagesPath   = "/ui"
	LivePath    = "/livez"
	ReadyPath   = "/readyz"
)

// Settings says where an endpoint listens and which callers it lets in.
type Settings struct {
	// Address is where to listen, as the operator wrote it. From is the flag or the variable that it
	// is from.
	Address, From string
	// AllowHosts and AllowOrigins are allowed besides those of the configuration.
	AllowHosts, AllowOrigins []string
	// Certificate and Key are files for TLS, both "" without it.
	Certificate, Key string
	// Access is the part of the configuration about HTTP.
	Access config.HTTP
	// Toolboxes returns the names of the toolboxes that are served now.
	Toolboxes func() []string
	// Pages serves the pages for browsers, nil for none. Their caller is in the context of a request.
	Pages http.Handler
}

// HasFlags reports whether a flag was given that is only for hosts over HTTP.
func (s Settings) HasFlags() bool {
	return len(s.AllowHosts)+len(s.AllowOrigins) > 0 || s.Certificate != "" || s.Key != ""
}

// UsageError is a mistake in the address or in a flag.
type UsageError struct{ error }

// Unwrap returns the mistake.
func (e *UsageError) Unwrap() error { return e.error }

// RefusedError says why an endpoint does not listen with this configuration.
type RefusedError struct{ error }

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.error }

// Endpoint serves hosts, metrics and probes at one address.
type Endpoint struct {
	address   guard.Address
	from      string // the flag or variable of the address
	server    *http.Server
	hosts     *httpserver.Handler
	gate      *tokens.Gate
	access    config.HTTP    // as it was at the start
	granted   []tokens.Token // the tokens of the last configuration, with the toolboxes that they may see
	hadTokens bool           // some configuration had tokens, so that one is needed
	isReached bool           // by other machines
	origins   []string       // foreign ones that are allowed
	log       *slog.Logger
}

// New returns an endpoint that serves hosts, and the page of their metrics.
//
// Failures: *UsageError, *RefusedError, and those of reading the certificate.
func New(ctx context.Context, settings Settings, hosts *httpserver.Handler, page *metrics.Page, log *slog.Logger) (*Endpoint, error) {
	access := settings.Access
	address, err := guard.ParseAddress(ctx, settings.Address, net.DefaultResolver)
	if err != nil {
		return nil, &UsageError{fmt.Errorf("%s %w", settings.From, err)}
	}
	refusals := guard.NewRefusals(log)
	origins := slices.Concat(access.AllowOrigins, settings.AllowOrigins)
	checks, err := guard.New(address, slices.Concat(access.AllowHosts, settings.AllowHosts), origins, refusals)
	if err != nil {
		return nil, &UsageError{err}
	}
	reached := reachedBy(address, settings.From+" "+settings.Address, checks.ForeignHost)
	if err := mayServe(access, reached); err != nil {
		return nil, &RefusedError{err}
	}
	if (settings.Certificate == "") != (settings.Key == "") {
		return nil, &UsageError{errors.New("--tls-cert and --tls-key go together")}
	}
	mux := http.NewServeMux()
	e := &Endpoint{
		address: address, from: settings.From, server: httpserver.NewServer(mux, log), hosts: hosts, access: access, granted: tokensOf(access), hadTokens: len(access.Tokens) > 0, isReached: reached != "", origins: origins, log: log,
	}
	if settings.Certificate != "" {
		if e.server.TLSConfig, err = certificate.Load(settings.Certificate, settings.Key, log); err != nil {
			return nil, err
		}
	}
	verifier, err := e.verifier(mux)
	if err != nil {
		return nil, &RefusedError{err}
	}
	e.gate = tokens.NewGate(tokensOf(access), verifier, refusals, log)
	mux.Handle(MCPPath, checks.Protect(e.gate.Authenticate(hosts)))
	mux.Handle(MCPPath+"/", checks.Protect(e.gate.Authenticate(toolboxesInPath(MCPPath, settings.Toolboxes, hosts))))
	mux.Handle(MetricsPath, checks.Protect(e.gate.Authenticate(page.Handler(hosts.Sessions))))
	if settings.Pages != nil {
		pages := ui.ReadOnly(checks.Protect(e.gate.AuthenticateBrowser(settings.Pages)))
		mux.Handle(PagesPath, pages)
		mux.Handle(PagesPath+"/", pages)
	}
	nothing := "There is nothing here. Hosts use " + MCPPath
	if settings.Pages != nil {
		nothing += ", browsers " + PagesPath
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, nothing, http.StatusNotFound) })
	mux.HandleFunc("GET "+LivePath, func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET "+ReadyPath, func(w http.ResponseWriter, _ *http.Request) {
		if !hosts.Ready() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	return e, nil
}

// verifier returns the verifier of an issuer's access tokens, nil without an issuer. It also adds to
// mux the metadata that callers read to find out where to get a token.
func (e *Endpoint) verifier(mux *http.ServeMux) (tokens.Verifier, error) {
	auth := e.access.Auth
	if auth == nil {
		return nil, nil
	}
	client, err := newIssuerClient()
	if err != nil {
		return nil, err
	}
	server, err := resource.New(resourceSettings(auth), client, e.log)
	if err != nil {
		return nil, fmt.Errorf(`"http.auth" of the configuration: %w`, err)
	}
	for _, path := range server.MetadataPaths() {
		mux.HandleFunc(path, server.ServeMetadata)
	}
	return server, nil
}

// Note says which callers are let in.
func (e *Endpoint) Note() string {
	if isAuthenticated(e.access) {
		return "callers need a token"
	}
	note := "every program on this machine may call it"
	if len(e.origins) > 0 {
		note += ", and so may web pages of " + strings.Join(e.origins, ", ")
	}
	return note
}

// Listen listens at the address of the endpoint.
func (e *Endpoint) Listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, e.address.Network, e.address.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address or port with %s", err, e.from)
	}
	return listener, nil
}

// URL returns where hosts reach the endpoint on a listener.
func (e *Endpoint) URL(listener net.Listener) string {
	scheme := "http"
	if e.server.TLSConfig != nil {
		scheme = "https"
	}
	return scheme + "://" + listener.Addr().String() + MCPPath
}
