package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// maxRefusalBody is the number of bytes of a refusal's body that are read.
	maxRefusalBody = 64 << 10
	// maxQuote is the number of bytes of the server's own message about a refusal that are shown.
	maxQuote = 300
)

// MediaType returns the media type of a response in lower case, "" for none.
func MediaType(response *http.Response) string {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// RefusalError is a response other than the expected one.
type RefusalError struct {
	Status int
	// Body is the beginning of the body, at most 64 KiB, without a byte order mark.
	Body   []byte
	reason string // without the server's message
	quote  string // the server's message, "" for none
}

// Error returns what the server answered and what can be done, in one line.
func (r *RefusalError) Error() string { return r.reason + r.quote }

// Quote implements mcpclient.QuotingError.
func (r *RefusalError) Quote() (quote, without string) { return r.quote, r.reason }

// Refusal implements mcpclient.RefusingError.
func (r *RefusalError) Refusal() string { return string(r.Body) }

// dismissTime is the time dismiss waits for the end of a response.
const dismissTime = 250 * time.Millisecond

// dismiss reads the rest of a response whose body is not used, so that its connection is free for the next request.
// Servers may leave such a response open forever, so dismiss calls cancel to end the request. It does not wait for a
// stream of events.
func dismiss(response *http.Response, cancel context.CancelFunc) {
	if MediaType(response) != EventStream {
		if response.ContentLength != 0 {
			defer time.AfterFunc(dismissTime, cancel).Stop()
		}
		_, _ = io.CopyN(io.Discard, response.Body, maxRefusalBody) // a broken connection is not used again
	}
	_ = response.Body.Close() // it is not needed
}

// Refused reads a response other than the expected one.
func (e *Endpoint) Refused(response *http.Response) *RefusalError {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxRefusalBody))
	if err != nil {
		body = nil // the status says enough
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	return &RefusalError{Status: response.StatusCode, Body: body, reason: e.reason(response, body), quote: e.quote(response, body)}
}

func (e *Endpoint) reason(response *http.Response, body []byte) string {
	status := strings.TrimSpace(strconv.Itoa(response.StatusCode) + " " + http.StatusText(response.StatusCode))
	switch code := response.StatusCode; {
	case ofTunnel(response, body) != "":
		return fmt.Sprintf("a tunnel answers in place of the server at %s (%s): %s", e.Origin(), status, ofTunnel(response, body))
	case code == http.StatusUnauthorized && e.header.Get("Authorization") == "":
		return fmt.Sprintf("the server at %s requires authentication (%s): %s", e.Origin(), status, howToAuthenticate(response))
	case code == http.StatusUnauthorized:
		return fmt.Sprintf(`the server at %s does not accept the "Authorization" of its "headers" in the configuration (%s)`, e.Origin(), status)
	case isChallenge(response, body):
		return fmt.Sprintf("a page for browsers came in place of the answer of %s (%s), as protection against bots shows it; "+
			"its operator can let programs through", e.Origin(), status)
	case code == http.StatusForbidden:
		return fmt.Sprintf("the server at %s forbids the request (%s)", e.Origin(), status)
	case code == http.StatusTooManyRequests:
		return fmt.Sprintf("the server at %s got too many requests (%s)%s", e.Origin(), status, retryAfter(response))
	case code == http.StatusServiceUnavailable:
		return fmt.Sprintf("the server at %s failed (%s)%s", e.Origin(), status, retryAfter(response))
	case code >= http.StatusInternalServerError:
		return fmt.Sprintf("the server at %s failed (%s)", e.Origin(), status)
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		return fmt.Sprintf(`the server at %s has no MCP at this path (%s); is the "url" right?`, e.Origin(), status)
	case code >= http.StatusBadRequest:
		return fmt.Sprintf("the server at %s refuses the request (%s)", e.Origin(), status)
	case isPage(response):
		return fmt.Sprintf(`the server at %s answered with a web page instead of MCP; is the "url" right?`, e.Origin())
	}
	return fmt.Sprintf("the server at %s did not answer with MCP (%s, content type %s)",
		e.Origin(), status, strconv.Quote(MediaType(response)))
}

// howToAuthenticate returns what helps with a server that refuses a request without authorization, by the first scheme that it asks for.
func howToAuthenticate(response *http.Response) string {
	const add = `add "Authorization" to its "headers" in the configuration, such as `
	switch scheme, _, _ := strings.Cut(response.Header.Get("WWW-Authenticate"), " "); strings.ToLower(strings.TrimSuffix(scheme, ",")) {
	case "basic":
		return add + `"Basic ${LOGIN}", where LOGIN is "NAME:PASSWORD" in base64`
	case "negotiate", "ntlm", "digest", "kerberos":
		return fmt.Sprintf("it wants a login by %s, which the workbench cannot do", strings.TrimSuffix(scheme, ","))
	}
	return add + `"Bearer ${TOKEN}"`
}

// challengeWords are in the pages of protection against bots.
var challengeWords = []string{
	"Just a moment...", "Attention Required!", "Enable JavaScript and cookies", "cf-challenge", "captcha", "_Incapsula_Resource",
	"Vercel Security Checkpoint", "Please enable JS", "Incapsula incident ID", "errors.edgesuite.net", "errors&#46;edgesuite&#46;net",
}

// maxChallenge is the size in bytes up to which a page with such words is a challenge even if its status is a success.
const maxChallenge = 2 << 10

// challengeHeaders are headers of such pages: of Cloudflare, AWS WAF and Vercel with this value, of DataDome with any.
var challengeHeaders = map[string]string{"Cf-Mitigated": "challenge", "X-Amzn-Waf-Action": "challenge", "X-Vercel-Mitigated": "challenge", "X-Datadome": ""}

// isChallenge reports whether a refusal is a page that tells browsers from programs.
func isChallenge(response *http.Response, body []byte) bool {
	for name, value := range challengeHeaders {
		if got := response.Header.Get(name); isPage(response) && got != "" && (value == "" || got == value) {
			return true
		}
	}
	return isPage(response) && (response.StatusCode >= http.StatusBadRequest || len(body) < maxChallenge) &&
		slices.ContainsFunc(challengeWords, func(words string) bool { return bytes.Contains(body, []byte(words)) })
}

// reminders are words in the pages that tunnels show to browsers first, and the headers that leave them out.
var reminders = [][2]string{{"ERR_NGROK_6024", "ngrok-skip-browser-warning"}, {"bypass-tunnel-reminder", "bypass-tunnel-reminder"}}

// statusTunnel is the status with which Cloudflare answers if it does not reach a server, with a number of its own in the body.
const statusTunnel = 530

// ofTunnel says what helps with an answer that a tunnel gave itself, "" for any other answer. Those of ngrok, localtunnel and
// Cloudflare are known.
func ofTunnel(response *http.Response, body []byte) string {
	code := response.Header.Get("Ngrok-Error-Code")
	for _, reminder := range reminders {
		if word := reminder[0]; code == word || isPage(response) && bytes.Contains(bytes.ToLower(body), []byte(strings.ToLower(word))) {
			return fmt.Sprintf(`add "%s": "1" to its "headers" in the configuration`, reminder[1])
		}
	}
	if response.StatusCode == statusTunnel && bytes.Contains(body, []byte("1033")) {
		return "it is not running (Cloudflare error 1033)"
	}
	number, _ := strings.CutPrefix(code, "ERR_NGROK_")
	switch _, err := strconv.ParseUint(number, 10, 32); {
	case err != nil:
		return ""
	case number == "3200":
		return "it is not running (" + code + ")"
	}
	return "https://ngrok.com/docs/errors/" + strings.ToLower(code) + " says why"
}

func isPage(response *http.Response) bool { return MediaType(response) == "text/html" }

// retryAfter returns when the server wants the next attempt, "" if it does not say: Retry-After is
// a number of seconds or a date.
func retryAfter(response *http.Response) string {
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return fmt.Sprintf("; it asks to wait for %s", time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(text); err == nil {
		return fmt.Sprintf("; it asks to wait until %s", date.UTC().Format(time.RFC1123))
	}
	return ""
}

// quote returns the server's own message about a refusal, as the end of a line, "" for a web page.
// It removes secrets before it cuts the message, since part of a secret is not recognized.
func (e *Endpoint) quote(response *http.Response, body []byte) string {
	if response.StatusCode < http.StatusBadRequest || isPage(response) {
		return ""
	}
	text := e.redact(refusalText(body))
	if text = strings.Join(strings.Fields(domain.ShownText(text)), " "); text == "" {
		return ""
	}
	return ": " + domain.CutBytes(text, maxQuote)
}

// refusalText returns the message in the body of a refusal: that of JSON-RPC, OAuth and common
// frameworks, or short plain text.
func refusalText(body []byte) string {
	if rawjson.Kind(body) != '{' {
		if len(body) > maxQuote || rawjson.Kind(body) == '<' {
			return ""
		}
		return string(body)
	}
	failure := rawjson.Member(body, "error")
	for _, found := range [][]byte{
		rawjson.Member(failure, "message"), rawjson.Member(body, "error_description"), rawjson.Member(body, "message"),
		rawjson.Member(body, "detail"), failure,
	} {
		if text := rawjson.Text(found); text != "" {
			return text
		}
	}
	return ""
}
