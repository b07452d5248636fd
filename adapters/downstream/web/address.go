package web

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// parseURL parses the address of a server as browsers do: white space around it does
// not count, characters that a URL cannot hold are encoded, and the host is written in
// one way. The errors do not repeat the address: it may hold secrets.
func parseURL(text string) (*url.URL, error) {
	address, err := url.Parse(encode(strings.TrimSpace(text)))
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

// encode returns a URL in which every character that none may hold (RFC 3986), but for
// control characters, is percent-encoded. In the host, package url refuses the encoded
// ones of ASCII and decodes the others.
func encode(text string) string {
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

func mustEncode(c rune) bool { return c > 0x7f || strings.ContainsRune(" \"<>\\^`{|}", c) }

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
