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

// CanonicalURL returns the address of a server as logins are kept by it and as resources are
// named (RFC 8707, MCP "Canonical Server URI"): scheme and host in lower case, without the default
// port, query and fragment, and without a path that is only "/".
func CanonicalURL(address *url.URL) string {
	canonical := url.URL{Scheme: strings.ToLower(address.Scheme), Host: canonicalHost(address), Path: address.Path, RawPath: address.RawPath}
	if canonical.Path == "/" {
		canonical.Path, canonical.RawPath = "", ""
	}
	return canonical.String()
}

// parseServer parses the address of a server as package web does, so that a request goes to
// the server that a login is for: without white space around it, encoded, and with the host in
// ASCII.
func parseServer(text string) (*url.URL, error) {
	address, err := url.Parse(domain.EncodeURL(strings.TrimSpace(text)))
	if err != nil {
		return nil, err
	}
	if host := address.Hostname(); strings.ContainsFunc(host, func(c rune) bool { return c > 0x7f }) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return nil, err
		}
		address.Host = strings.Replace(address.Host, host, ascii, 1)
	}
	return address, nil
}

func canonicalHost(address *url.URL) string {
	host, port := strings.ToLower(address.Hostname()), address.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	isUsual := strings.EqualFold(address.Scheme, "https") && port == "443" || strings.EqualFold(address.Scheme, "http") && port == "80"
	if port == "" || isUsual {
		return host
	}
	return host + ":" + port
}

// origin returns scheme, host and port: what a message may show of an address.
func origin(address *url.URL) string {
	return strings.ToLower(address.Scheme) + "://" + canonicalHost(address)
}

// originOf is origin for a text that may not be an address.
func originOf(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" {
		return "an address that is not a URL"
	}
	return origin(address)
}

// checkAddress refuses addresses that codes, tokens and secrets must not go to: all but
// https, and http to this machine.
func checkAddress(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.User != nil:
		return nil, errors.New("not an address that can be used")
	case networkHost(address.Hostname()) == "":
		return nil, fmt.Errorf("not an address that can be used, since networks read %q in different ways", shown(address.Hostname()))
	case address.Scheme == "https":
		return address, nil
	case address.Scheme != "http":
		return nil, errors.New("neither https nor http")
	case !isLoopbackHost(address.Hostname()):
		return nil, fmt.Errorf("plain http to %s, which anyone on the way could read", origin(address))
	}
	return address, nil
}

// networkHost returns a host as the network reads it: in ASCII and lower case, without the dot
// at the end that stands for the root. It returns "" for a host that only some programs read as an
// address, such as 127.1 or 2130706433 (WHATWG URL, "ends in a number"), and for one with an empty
// label, such as 127.0.0.1.., which resolvers that drop dots take for this machine.
func networkHost(host string) string {
	if strings.ContainsFunc(host, func(c rune) bool { return c > 0x7f }) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return ""
		}
		host = ascii
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
