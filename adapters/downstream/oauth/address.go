package oauth

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"mcp-workbench/domain"
)

// ParseURL parses the address of a server as browsers do: it ignores white space around it and the
// fragment, encodes characters that a URL cannot have, and writes the host in one form. In the
// host, package url refuses encoded ASCII characters and decodes the others. The errors do not
// repeat the address, which may contain secrets.
func ParseURL(text string) (*url.URL, error) {
	address, err := url.Parse(domain.EncodeURL(strings.TrimSpace(text)))
	switch {
	case err != nil:
		return nil, errors.New("a text that is not a URL")
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New(`a URL that begins with neither "https://" nor "http://"`)
	case address.Hostname() == "":
		return nil, errors.New("a URL without a host")
	}
	if _, err := toASCII(address.Hostname()); err != nil {
		return nil, errors.New("a URL whose host is not a valid name")
	}
	address.Host, address.Fragment = canonicalHost(address), ""
	return address, nil
}

// canonicalURL returns the address of a server in the form that identifies its login and names it
// as a resource (RFC 8707, MCP "Canonical Server URI"): scheme and host in lower case, without the
// default port, query and fragment, and without a path that is only "/".
func canonicalURL(address *url.URL) string {
	canonical := url.URL{Scheme: strings.ToLower(address.Scheme), Host: canonicalHost(address), Path: address.Path, RawPath: address.RawPath}
	if canonical.Path == "/" {
		canonical.Path, canonical.RawPath = "", ""
	}
	return canonical.String()
}

// canonicalHost returns host and port of an address in the one form that equal addresses share:
// in lower case, names in ASCII, without the default port of the scheme.
func canonicalHost(address *url.URL) string {
	host, err := toASCII(address.Hostname())
	if err != nil {
		return address.Host // equal to no other
	}
	name, zone, hasZone := strings.Cut(host, "%")
	if host = strings.ToLower(name); hasZone {
		host += "%" + zone // an interface, whose case counts
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := address.Port()
	if port == "" || address.Scheme == "http" && port == "80" || address.Scheme == "https" && port == "443" {
		return host
	}
	return host + ":" + port
}

func toASCII(host string) (string, error) {
	if !strings.ContainsFunc(host, func(c rune) bool { return c > 0x7f }) {
		return host, nil
	}
	return idna.Lookup.ToASCII(host)
}

// Origin returns scheme, host and port of an address, equal for all addresses of one origin (RFC
// 6454). Messages may show it, whereas paths and queries may contain keys.
func Origin(address *url.URL) string {
	return strings.ToLower(address.Scheme) + "://" + canonicalHost(address)
}

// originOf is Origin for a text that may not be an address.
func originOf(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" {
		return "an address that is not a URL"
	}
	return Origin(address)
}

// whole returns an address that a message shows whole, since its path decides, as one short line.
// It is for issuers and resources, which have no query and so no keys.
func whole(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return shown(domain.EncodeURL(address))
}

// checkAddress refuses addresses that codes, tokens and secrets must not go to. It accepts only
// https, and http to this machine.
func checkAddress(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.User != nil:
		return nil, errors.New("not an address that can be used")
	case networkHost(address.Hostname()) == "":
		return nil, fmt.Errorf("not an address that can be used, since programs disagree on the host %q", shown(address.Hostname()))
	case address.Scheme == "https":
		return address, nil
	case address.Scheme != "http":
		return nil, errors.New("neither https nor http")
	case !isLoopbackHost(address.Hostname()):
		return nil, fmt.Errorf("plain http to %s, which anyone on the way could read", Origin(address))
	}
	return address, nil
}

// networkHost returns a host as the network reads it: in ASCII and lower case, without the dot
// at the end that stands for the root. It returns "" for a host that only some programs read as an
// address, such as 127.1 or 2130706433 (WHATWG URL, "ends in a number"), and for one with an empty
// label, such as 127.0.0.1.., which resolvers that drop dots take for this machine.
func networkHost(host string) string {
	host, err := toASCII(host)
	if err != nil {
		return ""
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if isNumber(host[strings.LastIndexByte(host, '.')+1:]) || slices.Contains(strings.Split(host, "."), "") {
		return ""
	}
	return host
}

// isNumber reports whether a label of a host is a number, in decimal or from "0x" on.
func isNumber(label string) bool {
	digits := "0123456789"
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		label, digits = hex, digits+"abcdef"
	} else if label == "" {
		return false
	}
	return strings.Trim(label, digits) == ""
}

// isLoopbackHost reports whether a host, as written, is this machine, so that plain text sent there
// stays on it.
func isLoopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
