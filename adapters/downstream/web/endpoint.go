package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/domain"
)

const (
	// dialTime bounds connecting to one address, handshakeTime the TLS handshake after it.
	dialTime      = 30 * time.Second
	handshakeTime = 15 * time.Second
	// maxIdle is the number of idle connections to a server that are kept, each for idleTime. A burst of
	// calls reuses those of the last burst.
	maxIdle  = 64
	idleTime = 90 * time.Second
)

// Endpoint is an address of a server with the headers and connections for requests to it. Safe for
// concurrent use.
type Endpoint struct {
	address  *url.URL
	header   http.Header
	host     string // the Host header, "" for the host of the address
	client   *http.Client
	keptIdle *keptIdle
	// redact removes from text what no message about the server may show.
	redact func(text string) string
	// loginRefused is called when the server refuses a request without a login.
	loginRefused func()
	// authorizer is nil when the server has no logins.
	authorizer *oauth.Authorizer
	// showsCertificate is set if the settings name a client certificate.
	showsCertificate bool
	// answered says that the server answered a request.
	answered *atomic.Bool
}

// NewEndpoint returns the endpoint that a server's settings name, with connections of its own.
// Agent is the User-Agent of every request. Logins may be nil. LoginRefused is called whenever the
// server refuses a request without a login. The errors contain nothing that was expanded from a
// variable.
func NewEndpoint(server domain.Server, agent string, logins *oauth.Client, loginRefused func()) (*Endpoint, error) {
	var configured struct {
		settings
		OAuth json.RawMessage `json:"oauth"` // package oauth decodes it: it may be false
	}
	if err := json.Unmarshal(server.Settings, &configured); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	address, err := oauth.ParseURL(configured.URL)
	if err != nil {
		return nil, fmt.Errorf(`its "url" is %w`, err)
	}
	roots, err := certificates.Roots()
	if err != nil {
		return nil, err
	}
	tlsConfig := &tls.Config{RootCAs: roots}
	configured.TLS.Show(tlsConfig)
	endpoint := &Endpoint{
		address: address, header: http.Header{"User-Agent": {agent}, "Accept-Encoding": {"identity"}}, client: newClient(tlsConfig), keptIdle: &keptIdle{},
		redact: Redactor(server, logins), loginRefused: loginRefused, answered: &atomic.Bool{},
	}
	for name, value := range configured.Headers {
		if !IsHeaderValue(value) {
			return nil, fmt.Errorf("the value of its header '%s' contains control characters", name)
		}
		endpoint.header.Set(name, strings.TrimSpace(value))
	}
	endpoint.host = endpoint.header.Get("Host")
	endpoint.header.Del("Host")
	if configured.TLS != (certificates.Client{}) {
		endpoint.showsCertificate = true
		if address.Scheme != "https" {
			return nil, errors.New(`its "tls" needs an "url" that begins with https://`)
		}
		if _, err := configured.TLS.Load(); err != nil {
			return nil, errors.New(endpoint.redact(err.Error()))
		}
	}
	endpoint.authorizer, err = authorizerOf(server, logins)
	return endpoint, err
}

// Redactor returns a function that removes the secrets of a server from a text, with those that logins, which
// may be nil, learned since the start.
func Redactor(server domain.Server, logins *oauth.Client) func(text string) string {
	if logins == nil {
		return server.Redact
	}
	return func(text string) string { return logins.Redact(server.Redact(text)) }
}

// newClient returns a client that uses the proxies that the environment names. Only contexts limit
// its time.
func newClient(tlsConfig *tls.Config) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: dialTime}).DialContext,
			TLSClientConfig:     tlsConfig,
			TLSHandshakeTimeout: handshakeTime,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: maxIdle,
			IdleConnTimeout:     idleTime,

			MaxResponseHeaderBytes: oauth.MaxResponseHeader,
			// Many servers delay events to compress them.
			DisableCompression: true,
		},
		CheckRedirect: checkRedirect,
	}
}

// Origin returns scheme, host and port of the address, which messages may show.
func (e *Endpoint) Origin() string { return oauth.Origin(e.address) }

// HasOlderPath reports whether the path of the address ends as those of servers of HTTP+SSE do.
func (e *Endpoint) HasOlderPath() bool {
	return strings.HasSuffix(strings.TrimSuffix(e.address.Path, "/"), "/sse")
}

// Header returns a copy of the headers of every request.
func (e *Endpoint) Header() http.Header { return e.header.Clone() }

// Resolve returns the endpoint of a reference from the server. It shares connections with this one,
// and must have the same origin, since it gets the same headers.
func (e *Endpoint) Resolve(reference string) (*Endpoint, error) {
	address, err := e.address.Parse(domain.EncodeURL(reference))
	if err != nil {
		return nil, fmt.Errorf("the server at %s refers to an address that is not a URL", e.Origin())
	}
	if oauth.Origin(address) != e.Origin() {
		return nil, fmt.Errorf("the server at %s refers to another server (%s), which is not trusted with its headers",
			e.Origin(), oauth.Origin(address))
	}
	resolved := *e
	resolved.address = address
	return &resolved, nil
}

// Do makes a request. Header and body, which may be nil, must not change afterwards. The caller
// closes the response. The context bounds the response and its body.
//
// Failures: *UnreachableError and *domain.LoginRequiredError, if nothing of the request was carried
// out; otherwise an error that tells a model what happened.
func (e *Endpoint) Do(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	if e.authorizer == nil {
		return e.send(ctx, method, header, body)
	}
	return e.authorized(ctx, method, header, body)
}

// send makes a request without a login.
func (e *Endpoint) send(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	watched, traced := e.watch(ctx)
	request := (&http.Request{
		Method: method, URL: e.address, Host: e.host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(traced)
	if body != nil {
		// For a body of this type net/http writes head and body together.
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.ContentLength = int64(len(body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	response, err := e.client.Do(request)
	if err != nil {
		return nil, e.failure(ctx, err, watched.wasConnected())
	}
	if response.StatusCode == http.StatusUnauthorized {
		e.loginRefused()
	}
	e.keptIdle.note(response)
	if err := e.decode(response); err != nil {
		return nil, err
	}
	e.answered.Store(true)
	return response, nil
}

// SendTime is the longest time the server may take to accept a message that needs no answer.
const SendTime = 10 * time.Second

// Deliver posts a message that needs no answer, and returns when the server has accepted it.
//
// Failures: those of Do; *RefusalError; an error that says that SendTime is over.
func (e *Endpoint) Deliver(ctx context.Context, header http.Header, message []byte) error {
	bounded, cancel := context.WithTimeout(ctx, SendTime)
	defer cancel()
	response, err := e.Do(bounded, http.MethodPost, header, message)
	switch {
	case err != nil && ctx.Err() == nil && bounded.Err() != nil:
		return fmt.Errorf("the server did not accept the message within %s", SendTime)
	case err != nil:
		return err
	}
	defer dismiss(response, cancel)
	if response.StatusCode/100 != 2 {
		return e.Refused(response)
	}
	return nil
}

// EventStream is the media type of a stream of events.
const EventStream = "text/event-stream"

// OpenStream opens a stream of events, which the caller closes. The context bounds the stream too.
//
// Failures: those of Do; *RefusalError for any other response.
func (e *Endpoint) OpenStream(ctx context.Context, header http.Header) (io.ReadCloser, error) {
	response, err := e.Do(ctx, http.MethodGet, header, nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK && MediaType(response) == EventStream {
		return response.Body, nil
	}
	defer func() { _ = response.Body.Close() }() // the refusal is complete
	return nil, e.Refused(response)
}

// Close closes idle connections.
func (e *Endpoint) Close() { e.client.CloseIdleConnections() }
