package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/adapters/ui"
)

// The paths of an endpoint for hosts, for metrics, for pages and for probes.
const (
	mcpPath     = "/mcp"
	metricsPath = "/metrics"
	pagesPath   = "/ui"
	livePath    = "/livez"
	readyPath   = "/readyz"
)

// endpointSettings says where an endpoint listens and which callers it lets in.
type endpointSettings struct {
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
func (s endpointSettings) HasFlags() bool {
	return len(s.AllowHosts)+len(s.AllowOrigins) > 0 || s.Certificate != "" || s.Key != ""
}

// endpoint serves hosts, metrics and probes at one address, behind the checks of their callers
// (tests/acceptance/CONTRACT.md section 16). What the configuration and the flags allow is decided before anything
// listens.
type endpoint struct {
	address   callers.Address
	from      string // the flag or variable of the address
	server    *httpserver.Server
	hosts     *httpserver.Handler
	gate      *callers.Gate
	access    config.HTTP     // as it was at the start
	granted   []callers.Token // the tokens of the last configuration, with the toolboxes that they may see
	hadTokens bool            // some configuration had tokens, so that one is needed
	isReached bool            // by other machines
	origins   []string        // foreign ones that are allowed
	log       *slog.Logger
}

// newEndpoint returns an endpoint that serves hosts, and the page of their metrics.
//
// Failures: an *exitError for mistakes in the address, a flag or the configuration; those of reading the certificate.
func newEndpoint(ctx context.Context, settings endpointSettings, hosts *httpserver.Handler, page *metrics.Page, log *slog.Logger) (*endpoint, error) {
	access := settings.Access
	address, err := callers.ParseAddress(ctx, settings.Address, net.DefaultResolver)
	if err != nil {
		return nil, &exitError{Code: exitUsage, Err: fmt.Errorf("%s %w", settings.From, err)}
	}
	refusals := callers.NewRefusals(log)
	origins := slices.Concat(access.AllowOrigins, settings.AllowOrigins)
	checks, err := callers.NewGuard(address, slices.Concat(access.AllowHosts, settings.AllowHosts), origins, refusals)
	if err != nil {
		return nil, &exitError{Code: exitUsage, Err: err}
	}
	reached := reachedBy(address, settings.From+" "+settings.Address, checks.ForeignHost)
	if err := mayServe(access, reached); err != nil {
		return nil, &exitError{Code: exitConfiguration, Err: err}
	}
	if (settings.Certificate == "") != (settings.Key == "") {
		return nil, &exitError{Code: exitUsage, Err: errors.New("--tls-cert and --tls-key go together")}
	}
	mux := http.NewServeMux()
	e := &endpoint{
		address: address, from: settings.From, server: httpserver.NewServer(mux, log), hosts: hosts, access: access, granted: tokensOf(access), hadTokens: len(access.Tokens) > 0, isReached: reached != "", origins: origins, log: log,
	}
	if settings.Certificate != "" {
		if e.server.TLSConfig, err = httpserver.LoadCertificate(settings.Certificate, settings.Key, log); err != nil {
			return nil, err
		}
	}
	verifier, err := e.verifier(mux)
	if err != nil {
		return nil, &exitError{Code: exitConfiguration, Err: err}
	}
	e.gate = callers.NewGate(tokensOf(access), verifier, refusals, log)
	mux.Handle(mcpPath, checks.Protect(e.gate.Authenticate(hosts)))
	mux.Handle(mcpPath+"/", checks.Protect(e.gate.Authenticate(callers.ToolboxesInPath(mcpPath, settings.Toolboxes, hosts))))
	mux.Handle(metricsPath, checks.Protect(e.gate.Authenticate(page.Handler(hosts.Sessions))))
	if settings.Pages != nil {
		pages := ui.ReadOnly(checks.Protect(e.gate.AuthenticateBrowser(settings.Pages)))
		mux.Handle(pagesPath, pages)
		mux.Handle(pagesPath+"/", pages)
	}
	nothing := "There is nothing here. Hosts use " + mcpPath
	if settings.Pages != nil {
		nothing += ", browsers " + pagesPath
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, nothing, http.StatusNotFound) })
	mux.HandleFunc("GET "+livePath, func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET "+readyPath, func(w http.ResponseWriter, _ *http.Request) {
		if !hosts.Ready() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	return e, nil
}

// verifier returns the verifier of an issuer's access tokens, nil without an issuer. It also adds to
// mux the metadata that callers read to find out where to get a token.
func (e *endpoint) verifier(mux *http.ServeMux) (callers.Verifier, error) {
	auth := e.access.Auth
	if auth == nil {
		return nil, nil
	}
	client, err := newIssuerClient()
	if err != nil {
		return nil, err
	}
	server, err := callers.NewResource(resourceSettings(auth), client, e.log)
	if err != nil {
		return nil, fmt.Errorf(`"http.auth" of the configuration: %w`, err)
	}
	for _, path := range server.MetadataPaths() {
		mux.HandleFunc(path, server.ServeMetadata)
	}
	return server, nil
}

// resourceSettings returns which access tokens are accepted.
func resourceSettings(auth *config.Auth) callers.ResourceSettings {
	settings := callers.ResourceSettings{Issuer: auth.Issuer, Resource: auth.Resource, Scopes: auth.Scopes}
	if asked := auth.Introspection; asked != nil {
		settings.Introspection = &callers.Introspection{Endpoint: asked.Endpoint, ClientID: asked.ClientID, ClientSecret: asked.ClientSecret}
	}
	return settings
}

// newIssuerClient returns a client for issuers of access tokens.
func newIssuerClient() (*http.Client, error) {
	roots, err := certificates.Roots()
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		MaxResponseHeaderBytes: oauth.MaxResponseHeader,
	}}, nil
}

// Note says which callers are let in.
func (e *endpoint) Note() string {
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
func (e *endpoint) Listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, e.address.Network, e.address.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address or port with %s", err, e.from)
	}
	return listener, nil
}

// URL returns where hosts reach the endpoint on a listener.
func (e *endpoint) URL(listener net.Listener) string {
	scheme := "http"
	if e.server.TLSConfig != nil {
		scheme = "https"
	}
	return scheme + "://" + listener.Addr().String() + mcpPath
}

const (
	// drainTime is the longest time calls under way may take at the end. With the time that servers have to
	// exit, it is less than the ten seconds after which container engines kill the process.
	drainTime = 5 * time.Second
	// lastStreams is the longest time that hosts have to read the last messages.
	lastStreams = time.Second
)

// Serve serves hosts on a listener until the context ends, and then returns nil; otherwise it
// returns why it ended. Callers must close the endpoint either way.
func (e *endpoint) Serve(ctx context.Context, listener net.Listener) error {
	failed := make(chan error, 1)
	listener = httpserver.WarnRefused(listener, e.log)
	go func() {
		if e.server.TLSConfig != nil {
			failed <- e.server.ServeTLS(listener)
		} else {
			failed <- e.server.Serve(listener)
		}
	}()
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return fmt.Errorf("serve hosts over HTTP: %w", err)
	}
}

// Leave makes /readyz answer 503 while hosts are still served, so that a load balancer sends new ones
// elsewhere. It returns after the time of http.drain, or when the context ends. It must be called before
// Close, while Serve is running.
func (e *endpoint) Leave(ctx context.Context) {
	e.hosts.Leave()
	if e.access.Drain <= 0 {
		return
	}
	e.log.Info("hosts are still served for a while, so that a load balancer notices the end", "drain", e.access.Drain)
	leaving, cancel := context.WithTimeout(ctx, e.access.Drain)
	defer cancel()
	<-leaving.Done()
}

// Close waits for calls under way until the context ends, and closes the sessions, whose servers have the
// time of shutdown to exit. It calls closed before it waits for hosts to read the last messages.
func (e *endpoint) Close(ctx context.Context, shutdown time.Duration, closed func()) {
	end := time.Now().Add(drainTime + shutdown)
	drain, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	e.hosts.Drain(drain)
	e.hosts.Close()
	closed()
	// Streams ended before the servers did, so that little is left to be written.
	rest := min(lastStreams, max(time.Until(end), lastStreams/10))
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), rest)
	defer cancelLast()
	if err := e.server.Shutdown(last); err != nil {
		_ = e.server.Close() // only connections are left
	}
}
