package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/textproto"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/domain"
)

// settings are the settings of a server behind a URL.
type settings struct {
	URL     string            `json:"url" is:"shown expanded address" required:"the server's address, such as \"https://example.com/mcp\"" form:"any" pattern:"^[hH][tT][tT][pP][sS]?://[^/?#]|\\$\\{"`
	Headers map[string]string `json:"headers" is:"expanded data caseless secret late"`
	// TLS is the certificate that the workbench shows to the server.
	TLS   certificates.Client `json:"tls" is:"expanded" wanted:"an object with \"cert\" and \"key\""`
	OAuth oauth.Settings      `json:"oauth" is:"expanded apart"`
}

// SettingsReader reads the settings of servers behind a URL. It is the part of ports.Transport that
// does not connect.
type SettingsReader struct{}

// Settings implements ports.Transport.
func (SettingsReader) Settings() any { return settings{} }

// Check implements ports.Transport.
func (SettingsReader) Check(raw json.RawMessage) error {
	var s struct {
		URL     string              `json:"url"`
		Headers map[string]string   `json:"headers"`
		TLS     certificates.Client `json:"tls"`
		OAuth   json.RawMessage     `json:"oauth"`
	}
	_ = json.Unmarshal(raw, &s) // values of other kinds are reported already
	var problems domain.SettingErrors
	checkURL(s.URL, &problems)
	checkHeaders(s.Headers, &problems)
	checkTLS(s.TLS, s.URL, &problems)
	return errors.Join(problems.Join(), oauth.Check(s.OAuth))
}

// Traits implements ports.Transport.
func (SettingsReader) Traits(raw json.RawMessage) domain.Traits {
	var s struct {
		URL   string              `json:"url"`
		OAuth json.RawMessage     `json:"oauth"`
		TLS   certificates.Client `json:"tls"`
	}
	var login struct {
		Issuer        string `json:"issuer"`
		AssertionFile string `json:"assertionFile"`
	}
	_ = json.Unmarshal(raw, &s)         // they were checked
	_ = json.Unmarshal(s.OAuth, &login) // it may be false
	return domain.Traits{
		Address: s.URL, KeyFile: cmp.Or(s.TLS.KeyFile, s.TLS.File),
		Login: domain.LoginTraits{Off: string(s.OAuth) == "false", Issuer: login.Issuer, AssertionFile: login.AssertionFile},
	}
}

const wantedURL = `the server's address, such as "https://example.com/mcp"`

func checkURL(text string, problems *domain.SettingErrors) {
	if text == "" || strings.Contains(text, "${") {
		return
	}
	if _, err := oauth.ParseURL(text); err != nil {
		problems.Add(err.Error(), wantedURL, "url")
	}
}

func checkHeaders(headers map[string]string, problems *domain.SettingErrors) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch {
		case !IsHeaderName(name):
			problems.Add("a name that is not valid for a header", "letters, digits and dashes", "headers", name)
		case IsOwnHeader(name):
			problems.Add("a header that the workbench sets itself", "only other headers", "headers", name)
		case !IsHeaderValue(headers[name]):
			problems.Add("a value with control characters", "one line of text", "headers", name)
		}
	}
}

// checkTLS checks the client certificate of a server at an address.
func checkTLS(client certificates.Client, address string, problems *domain.SettingErrors) {
	const wanted = `the path of a file in PEM`
	for _, file := range []struct{ name, path string }{{"cert", client.File}, {"key", client.KeyFile}} {
		switch {
		case strings.Contains(file.path, "-----BEGIN"):
			problems.Add("a text in PEM", wanted, "tls", file.name)
		case strings.HasPrefix(file.path, "~"):
			problems.Add("a path that begins with ~", wanted+`, absolute or relative to the configuration, or with "${HOME}"`, "tls", file.name)
		}
	}
	if client != (certificates.Client{}) && strings.HasPrefix(strings.ToLower(address), "http://") {
		problems.Add("a certificate for an address without TLS", `an "url" that begins with https://`, "tls")
	}
}

// IsOwnHeader reports whether a header of requests to servers is one that the protocol and the connection set, so that
// neither a configuration nor the file of a host can. Case does not matter.
func IsOwnHeader(name string) bool {
	return slices.Contains(ownHeaders, textproto.CanonicalMIMEHeaderKey(name))
}

// ownHeaders are in the form of textproto.CanonicalMIMEHeaderKey.
var ownHeaders = []string{
	"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	textproto.CanonicalMIMEHeaderKey(mcp.HeaderLastEventID), mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderProtocolVersion, mcp.HeaderSessionID,
}

// IsHeaderName reports whether the name is a token (RFC 9110 section 5.6.2).
func IsHeaderName(name string) bool {
	for _, c := range []byte(name) {
		isAlphanumeric := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return name != ""
}

// IsHeaderValue reports whether the value is one line without control characters.
func IsHeaderValue(value string) bool {
	return !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
