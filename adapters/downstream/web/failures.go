package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/domain"
)

// UnreachableError says why a server cannot be reached. Nothing was sent to the server.
type UnreachableError struct{ Reason string }

func (e *UnreachableError) Error() string { return e.Reason }

// ErrCut says that the connection ended before the answer did.
var ErrCut = errors.New("the connection to the server was cut in the middle of the request; whether it was carried out is not known")

// failure returns the error for a failed request. Of the address it shows only the origin.
// Connected says that the request may have been sent over a connection.
func (e *Endpoint) failure(ctx context.Context, err error, connected bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if redirect, ok := errors.AsType[*redirectError](err); ok {
		return redirect
	}
	// Package net/http has no type for it, over HTTP/1.1 and over HTTP/2.
	if text := err.Error(); strings.Contains(text, "response headers exceeded") || strings.Contains(text, "header list larger") {
		return fmt.Errorf("%w; the header of its answer has more than %d bytes", ErrCut, oauth.MaxResponseHeader)
	}
	if reason := e.whyUnreachable(err); reason != "" {
		return &UnreachableError{Reason: reason}
	}
	if !connected {
		return &UnreachableError{Reason: e.whyNoConnection(err)}
	}
	if e.answered.Load() {
		return ErrCut
	}
	if e.address.Scheme == "https" {
		return fmt.Errorf("%w; it never answered over TLS, as a server that wants %s", ErrCut, e.wantedCertificate())
	}
	return fmt.Errorf("%w; it never answered: is its address https:// instead?", ErrCut)
}

// wantedCertificate names the client certificate that a server may want.
func (e *Endpoint) wantedCertificate() string {
	if e.showsCertificate {
		return `another client certificate than that of "tls" in its settings`
	}
	return `a client certificate, which "tls": {"cert": FILE, "key": FILE} in its settings names`
}

// whyUnreachable returns why no connection could be made, "" if one was made.
func (e *Endpoint) whyUnreachable(err error) string {
	if reason := e.whyNoTLS(err); reason != "" {
		return reason
	}
	operation, isOperation := errors.AsType[*net.OpError](err)
	// An alert of TLS before the first answer ends the handshake, so nothing was carried out.
	if isOperation && operation.Op == "remote error" && !e.answered.Load() {
		text := fmt.Sprintf("TLS with %s failed: the server answers %q", e.Origin(), innermost(operation.Err))
		if strings.Contains(operation.Err.Error(), "certificate required") {
			text += "; it wants " + e.wantedCertificate()
		}
		return text
	}
	if isOperation && operation.Op == "proxyconnect" {
		return fmt.Sprintf("the proxy that the environment names for %s cannot be reached: %s", e.Origin(), innermost(operation.Err))
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		if lookup.IsNotFound {
			return fmt.Sprintf("DNS does not know the host of %s", e.Origin())
		}
		return fmt.Sprintf("the host of %s cannot be looked up: %s", e.Origin(), innermost(lookup))
	}
	if isOperation && operation.Op == "dial" {
		return fmt.Sprintf("cannot connect to %s: %s", e.Origin(), innermost(operation.Err))
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && !isOperation {
		return fmt.Sprintf("cannot connect to %s: no answer to the TLS handshake", e.Origin())
	}
	return ""
}

// whyNoConnection returns why no connection was made, if no clearer reason is known.
func (e *Endpoint) whyNoConnection(err error) string {
	_, isOperation := errors.AsType[*net.OpError](err)
	if e.address.Scheme == "https" && (isOperation || errors.Is(err, io.EOF)) {
		return fmt.Sprintf("cannot connect to %s: the connection was closed during the TLS handshake", e.Origin())
	}
	return fmt.Sprintf("cannot connect to %s: %s", e.Origin(), innermost(err))
}

// whyNoTLS returns why TLS failed, "" if it did not.
func (e *Endpoint) whyNoTLS(err error) string {
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return fmt.Sprintf("%s does not speak TLS; is its address http:// instead?", e.Origin())
	}
	if unknown, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return fmt.Sprintf("TLS with %s failed: %v (SSL_CERT_FILE names a file with further authorities)", e.Origin(), unknown)
	}
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Sprintf("TLS with %s failed: %v", e.Origin(), bad.Err)
	}
	if alert, ok := errors.AsType[tls.AlertError](err); ok {
		return fmt.Sprintf("TLS with %s failed: %v", e.Origin(), alert)
	}
	return ""
}

// innermost returns the reason of a network error without addresses.
func innermost(err error) string {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number.Error()
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return lookup.Err
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "timeout"
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// redirectError says why a redirect was not followed.
type redirectError struct{ reason string }

func (e *redirectError) Error() string { return e.reason }

// maxRedirects is the number of redirects that a request follows.
const maxRedirects = 5

// keepTLS replaces plain http by https in a redirect of a host to itself.
//
// Decision: a server behind a proxy that ends TLS does not know that its own address has https, so its redirect from
// /mcp to /mcp/ names plain http. It cannot mean another server, and nothing is sent in the clear.
func keepTLS(next, first *url.URL) {
	if first.Scheme == "https" && next.Scheme == "http" && strings.EqualFold(next.Hostname(), first.Hostname()) &&
		(next.Port() == first.Port() || next.Port() == "80") {
		next.Scheme, next.Host = first.Scheme, first.Host
	}
}

// loginPaths are parts of the paths of pages to log in.
var loginPaths = []string{"/login", "/signin", "/sign-in", "/sso", "/saml", "/authorize", "/oauth2/", "/cdn-cgi/access/"}

// isLoginPage reports whether an address looks like that of a page to log in.
func isLoginPage(address *url.URL) bool {
	path := strings.ToLower(address.Path)
	return slices.ContainsFunc(loginPaths, func(part string) bool { return strings.Contains(path, part) })
}

// tokenOf says which token a proxy before a server takes from a program: codespaces and dev tunnels document theirs.
func tokenOf(server *url.URL) string {
	switch host := strings.ToLower(server.Hostname()); {
	case strings.HasSuffix(host, ".app.github.dev"):
		return `"X-GitHub-Token": "${TOKEN}" with the GITHUB_TOKEN of the codespace`
	case strings.HasSuffix(host, ".devtunnels.ms"):
		return `"X-Tunnel-Authorization": "tunnel ${TOKEN}" (devtunnel token)`
	}
	return "a token of a service that it accepts"
}

// checkRedirect allows redirects that stay within the origin, since headers contain keys for one
// server, and keep the message.
func checkRedirect(next *http.Request, before []*http.Request) error {
	first := before[0]
	keepTLS(next.URL, first.URL)
	switch {
	case (oauth.Origin(next.URL) != oauth.Origin(first.URL) || next.Method != first.Method) && isLoginPage(next.URL):
		return &redirectError{fmt.Sprintf("the server at %s redirects to %s, a page to log in with a browser: a proxy before the server (single sign-on, "+
			"Cloudflare Access) wants to know who asks; \"headers\" can have %s", oauth.Origin(first.URL), oauth.Origin(next.URL), tokenOf(first.URL))}
	case oauth.Origin(next.URL) != oauth.Origin(first.URL) && next.URL.Scheme == "http" && first.URL.Scheme == "https":
		return &redirectError{fmt.Sprintf("the server at %s redirects to %s, which is plain http, so that anyone on the way could read the headers; is the \"url\" right?",
			oauth.Origin(first.URL), oauth.Origin(next.URL))}
	case oauth.Origin(next.URL) != oauth.Origin(first.URL):
		return &redirectError{fmt.Sprintf("the server at %s redirects to %s, which does not get its headers; if you trust it, write its address into \"url\"",
			oauth.Origin(first.URL), oauth.Origin(next.URL))}
	case next.Method != first.Method:
		return &redirectError{fmt.Sprintf("the server at %s redirects (%d) to another path, and the message would be lost on the way; write the new address into \"url\"",
			oauth.Origin(first.URL), next.Response.StatusCode)}
	case len(before) > maxRedirects:
		return &redirectError{fmt.Sprintf("the server at %s redirects too often", oauth.Origin(first.URL))}
	}
	next.URL.RawQuery = domain.EncodeURL(next.URL.RawQuery)
	return nil
}
