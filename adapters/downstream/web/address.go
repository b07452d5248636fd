package web

import (
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"mcp-workbench/domain"
)

// parseURL parses the address of a server as browsers do: white space around it does
// not count, characters that a URL cannot hold are encoded, and the host is written in
// one way. In the host, package url refuses encoded characters of ASCII and decodes the
// others. The errors do not repeat the address: it may hold secrets.
func parseURL(text string) (*url.URL, error) {
	address, err := url.Parse(domain.EncodeURL(strings.TrimSpace(text)))
	switch {
	case err != nil:
		return nil, errors.New("a text that is no URL")
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New(`a URL that begins with neither "https://" nor "http://"`)
	case address.Hostname() == "":
		return nil, errors.New("a URL without a host")
	}
	if address.Host, err = canonicalHost(address); err != nil {
		return nil, errors.New("a URL whose host cannot be a name")
	}
	address.Fragment = ""
	return address, nil
}

// canonicalHost returns host and port of an address in the one form that equal ones
// share: in lower case, names in ASCII, without the port that the scheme implies.
func canonicalHost(address *url.URL) (string, error) {
	host, port := address.Hostname(), address.Port()
	if strings.ContainsFunc(host, func(c rune) bool { return c > 0x7f }) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", err
		}
		host = ascii
	}
	if name, zone, hasZone := strings.Cut(host, "%"); hasZone {
		host = strings.ToLower(name) + "%" + zone // an interface, whose case counts
	} else {
		host = strings.ToLower(host)
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || address.Scheme == "http" && port == "80" || address.Scheme == "https" && port == "443" {
		return host, nil
	}
	return host + ":" + port, nil
}

// origin returns scheme, host and port, the same for all addresses of one origin
// (RFC 6454): what a message may show, since paths and queries hold keys.
func origin(address *url.URL) string {
	host, err := canonicalHost(address)
	if err != nil {
		host = address.Host // equal to no other
	}
	return address.Scheme + "://" + host
}
