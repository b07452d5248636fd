package domain

import (
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// IsHostHeader reports whether text is valid in a Host header: a name or an IP address, with or without a
// port. IPv6 addresses are in brackets. Names are in ASCII, as browsers send them.
func IsHostHeader(text string) bool {
	address, err := url.Parse("http://" + text)
	if err != nil || address.Host != text || strings.HasSuffix(text, ":") {
		return false
	}
	if port := address.Port(); port != "" {
		if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
			return false
		}
	}
	name := address.Hostname()
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	for _, c := range []byte(name) {
		isLetter, isDigit := 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9'
		if !isLetter && !isDigit && !strings.ContainsRune("-._", rune(c)) {
			return false
		}
	}
	return name != ""
}

// IsOrigin reports whether text is valid in an Origin header: a scheme and a host only.
func IsOrigin(text string) bool {
	address, err := url.Parse(text)
	return err == nil && address.Scheme != "" && IsHostHeader(address.Host) && strings.EqualFold(text, address.Scheme+"://"+address.Host)
}

// IsIssuer reports whether text can be the address of an authorization server, or of its keys without
// their query: https, or http on this machine, without a login, query or fragment.
func IsIssuer(text string) bool {
	address, err := url.Parse(text)
	switch {
	case err != nil, !IsHostHeader(address.Host), address.User != nil, strings.ContainsAny(text, "?#"):
		return false
	case address.Scheme == "https":
		return true
	}
	return address.Scheme == "http" && IsLoopback(address.Hostname())
}

// IsResource reports whether text can be the URL of a protected resource (RFC 9728, section 1.2): http
// or https, without a login or fragment. Its path has no empty, "." or ".." part, since the URL of
// the metadata is derived from it.
func IsResource(text string) bool {
	address, err := url.Parse(text)
	if err != nil || !IsHostHeader(address.Host) || address.User != nil || strings.ContainsAny(text, "# ") {
		return false
	}
	isClean := address.Path == "" || path.Clean(address.Path) == "/"+strings.Trim(address.Path, "/")
	return isClean && (address.Scheme == "http" || address.Scheme == "https")
}

// IsScope reports whether text is a scope (RFC 6749, section 3.3).
func IsScope(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return text != ""
}

// IsLoopback reports whether a host, without its port, is the machine that uses it.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
