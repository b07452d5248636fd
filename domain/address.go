package domain

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// EncodeURL percent-encodes the characters that a URL cannot contain (RFC 3986), except for
// control characters. Existing escapes are not changed.
func EncodeURL(text string) string {
	mustEncode := func(c rune) bool { return c > 0x7f || strings.ContainsRune(" \"<>\\^`{|}", c) }
	if !strings.ContainsFunc(text, mustEncode) {
		return text
	}
	var encoded strings.Builder
	for _, c := range []byte(text) {
		if mustEncode(rune(c)) {
			fmt.Fprintf(&encoded, "%%%02X", c)
		} else {
			encoded.WriteByte(c)
		}
	}
	return encoded.String()
}

// URLHost returns host and port of a URL, encoded as by EncodeURL, or "" for other texts.
func URLHost(address string) string {
	_, rest, ok := strings.Cut(EncodeURL(address), "://")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// URLSecrets returns the secrets of the login in a URL: the password, and the encoded name and password
// that the Authorization header of every request repeats (RFC 7617).
func URLSecrets(address string) Secrets {
	parsed, err := url.Parse(EncodeURL(strings.TrimSpace(address)))
	if err != nil || parsed.User == nil {
		return nil
	}
	name := parsed.User.Username()
	password, hasPassword := parsed.User.Password()
	login := base64.StdEncoding.EncodeToString([]byte(name + ":" + password))
	if !hasPassword {
		password = name // a name alone is an API key
	}
	return Secrets{{Value: login, Shown: "***"}, {Value: password, Shown: "***"}}
}

// HeaderSecrets returns the secrets within the value of a header: the credentials after the scheme
// (RFC 9110, section 11.4). It does not return the whole value.
func HeaderSecrets(name, value string) Secrets {
	if !strings.EqualFold(name, "Authorization") && !strings.EqualFold(name, "Proxy-Authorization") {
		return nil
	}
	_, credentials, _ := strings.Cut(strings.TrimSpace(value), " ")
	return Secrets{{Value: strings.TrimSpace(credentials), Shown: "***"}}
}

// SameIssuer reports whether two addresses of authorization servers are one: they are equal, or differ
// only by the slash after a host without a path (RFC 3986, section 6.2.3).
func SameIssuer(a, b string) bool {
	if a == b {
		return true
	}
	a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
	_, host, hasScheme := strings.Cut(a, "://")
	return a == b && hasScheme && host != "" && !strings.ContainsAny(host, "/?#")
}
