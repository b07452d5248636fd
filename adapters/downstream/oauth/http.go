package oauth

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// maxBody is the number of bytes of an answer that are read.
	maxBody = 1 << 20
	// requestTime bounds each request to an authorization server.
	requestTime  = 20 * time.Second
	maxRedirects = 5
)

// MaxResponseHeader is how many bytes of the header of an answer a client reads, of a server, an issuer or a registry. A
// line of a header costs many times its length.
const MaxResponseHeader = 64 << 10

// newHTTPClient returns the client for metadata, registration and tokens. It sends none of the
// headers configured for the server. Unless allowsPrivate is set, it connects to public addresses
// only: the metadata of a public server says where requests go, and must not lead them into the
// private network.
func newHTTPClient(config *tls.Config, allowsPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: requestTime}
	direct := &http.Transport{
		TLSClientConfig: config, ForceAttemptHTTP2: true, TLSHandshakeTimeout: requestTime, DisableKeepAlives: true,
		MaxResponseHeaderBytes: MaxResponseHeader,
	}
	proxied := direct.Clone()
	proxied.Proxy = http.ProxyFromEnvironment
	if !allowsPrivate {
		dialer.Control = refusePrivate
	}
	direct.DialContext = dialer.DialContext
	return &http.Client{
		Transport:     &guardedTransport{direct: direct, proxied: proxied, allowsPrivate: allowsPrivate},
		CheckRedirect: checkRedirect,
		Timeout:       requestTime,
	}
}

// errPrivate says that a connection to a private address was refused.
var errPrivate = errors.New("metadata of a public server leads to an address in a private network, which is not followed")

// refusePrivate is called with the address that a name was resolved to.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil || isPrivate(to.Addr()) {
		return errPrivate
	}
	return nil
}

// guardedTransport checks the address of each request, redirects included. A proxy resolves names
// itself, so only the name of a request through a proxy can be checked.
type guardedTransport struct {
	direct, proxied *http.Transport
	allowsPrivate   bool
}

// RoundTrip implements http.RoundTripper.
func (t *guardedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if _, err := checkAddress(request.URL.String()); err != nil {
		return nil, &addressError{err}
	}
	if proxy, err := http.ProxyFromEnvironment(request); err == nil && proxy == nil {
		return t.direct.RoundTrip(request)
	}
	if !t.allowsPrivate && isPrivateName(request.URL.Hostname()) {
		return nil, errPrivate
	}
	return t.proxied.RoundTrip(request)
}

// addressError says that a request would have gone to an address that is not allowed.
type addressError struct{ reason error }

func (e *addressError) Error() string { return e.reason.Error() }

// checkRedirect follows redirects of metadata only: posted forms contain secrets.
func checkRedirect(_ *http.Request, before []*http.Request) error {
	if before[0].Method != http.MethodGet || len(before) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}

// answer is a response with its whole body.
type answer struct {
	status int
	kind   string // media type
	body   []byte
}

// send makes a request and reads the answer. Errors name no more than the origin.
func send(client *http.Client, request *http.Request) (answer, error) {
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return answer{}, requestFailure(request, err)
	}
	defer func() { _ = response.Body.Close() }() // it was read
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case err != nil:
		return answer{}, requestFailure(request, err)
	case len(body) > maxBody:
		return answer{}, fmt.Errorf("%s answered with more than %d bytes", Origin(request.URL), maxBody)
	}
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	return answer{status: response.StatusCode, kind: kind, body: body}, nil
}

// UnreachableError says that a server, or an authorization server, gave no answer.
type UnreachableError struct {
	// Origin is scheme, host and port.
	Origin string
	// Why contains no path and no query.
	Why string
}

// Error implements error.
func (e *UnreachableError) Error() string { return "ask " + e.Origin + ": " + e.Why }

// requestFailure says why there is no answer, without paths and queries.
func requestFailure(request *http.Request, err error) error {
	if ctx := request.Context(); ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", Origin(request.URL), ctx.Err())
	}
	origin := Origin(request.URL)
	if _, refused := errors.AsType[*addressError](err); refused || errors.Is(err, errPrivate) {
		return fmt.Errorf("ask %s: %s", origin, whyNoAnswer(err))
	}
	return &UnreachableError{Origin: origin, Why: whyNoAnswer(err)}
}

// whyNoAnswer says why a request has no answer, without an address.
func whyNoAnswer(err error) string {
	if refused, ok := errors.AsType[*addressError](err); ok {
		return "its address is " + refused.Error()
	}
	if errors.Is(err, errPrivate) {
		return errPrivate.Error()
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "no answer in time"
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number.Error()
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return lookup.Err
	}
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not valid: " + bad.Err.Error()
	}
	return "the connection ended without an answer"
}

// isObject reports whether the answer is a JSON object with status 2xx.
func (a answer) isObject() bool {
	return a.status/100 == 2 && bytes.HasPrefix(bytes.TrimLeft(a.body, " \t\r\n"), []byte("{"))
}

// words describes an answer that is not the expected one, without its body.
func (a answer) words() string {
	status := strings.TrimSpace(strconv.Itoa(a.status) + " " + http.StatusText(a.status))
	switch {
	case a.kind == "text/html":
		return "a web page (" + status + ")"
	case a.status/100 == 2:
		return "something that is not a JSON object (" + status + ")"
	case a.status/100 == 3:
		return "a redirect (" + status + "), which is not followed with the same form"
	}
	return status
}

// fetchMetadata fetches the metadata of what is named, which follows an RFC, and reports whether there is any at that
// address.
func fetchMetadata(ctx context.Context, client *http.Client, address, of, rfc string, metadata any) (isThere bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false, errors.New("metadata has an address that cannot be used")
	}
	got, err := send(client, request)
	switch {
	case err != nil:
		return false, fmt.Errorf("read the metadata of %s: %w", of, err)
	case got.status >= http.StatusInternalServerError:
		return false, fmt.Errorf("read the metadata of %s: %s answered with %s", of, originOf(address), got.words())
	case !got.isObject():
		return false, nil
	}
	if err := json.Unmarshal(got.body, metadata); err != nil {
		return false, fmt.Errorf("the metadata of %s, from %s, does not follow %s", of, originOf(address), rfc)
	}
	return true, nil
}
