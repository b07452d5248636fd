package oauth

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// specialNetworks contain no addresses of the Internet (IANA special-purpose address registries).
// Package netip knows the others.
var specialNetworks = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),      // this network, which systems treat as this machine
	netip.MustParsePrefix("100.64.0.0/10"),  // between carriers and their customers (RFC 6598)
	netip.MustParsePrefix("192.0.0.0/24"),   // IETF protocol assignments
	netip.MustParsePrefix("198.18.0.0/15"),  // measurements
	netip.MustParsePrefix("240.0.0.0/4"),    // reserved, and broadcast
	netip.MustParsePrefix("2001::/23"),      // IETF protocol assignments, Teredo among them (RFC 2928, 4380)
	netip.MustParsePrefix("fec0::/10"),      // site-local, deprecated (RFC 3879)
	netip.MustParsePrefix("64:ff9b:1::/48"), // a network's own translation to IPv4 (RFC 8215)
}

// translatedNetworks contain IPv4 addresses, beginning at a byte.
var translatedNetworks = []struct {
	network netip.Prefix
	at      int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64 (RFC 6052)
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4 (RFC 3056)
	{netip.MustParsePrefix("::/96"), 12},           // compatible with IPv4 (RFC 4291)
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // translated from IPv4 (RFC 2765)
}

// isPrivate reports whether an address is local, or in a network other than the
// Internet.
func isPrivate(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() ||
		slices.ContainsFunc(specialNetworks, func(n netip.Prefix) bool { return n.Contains(ip) }) {
		return true
	}
	for _, translated := range translatedNetworks {
		if translated.network.Contains(ip) {
			bytes := ip.As16()
			return isPrivate(netip.AddrFrom4([4]byte(bytes[translated.at : translated.at+4])))
		}
	}
	return false
}

// lookup looks up the addresses of a name.
type lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// proofTime bounds the proof that a server is at a private address.
const proofTime = 5 * time.Second

// isPrivateServer reports whether a server is in a private network. For a public name, DNS is no
// proof: its owner can give it any address at any time. So a server with that name in its
// certificate has to answer at a private address. Plain http is used only on this machine. A
// server that cannot be found counts as public.
func isPrivateServer(ctx context.Context, server *url.URL, config *tls.Config, lookup lookup) bool {
	host := networkHost(server.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || host == "" || isPrivateName(host) {
		return host != "" && isPrivateName(host)
	}
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	addresses, err := lookup(ctx, "ip", host)
	if err != nil {
		return false
	}
	config = config.Clone()
	config.ServerName = host
	port := server.Port()
	if port == "" {
		port = "443"
	}
	return slices.ContainsFunc(addresses, func(ip netip.Addr) bool {
		return isPrivate(ip) && isServerAt(ctx, net.JoinHostPort(ip.String(), port), config)
	})
}

// isServerAt reports whether a server whose certificate has the name is at an address.
func isServerAt(ctx context.Context, address string, config *tls.Config) bool {
	connection, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = connection.Close() // nothing was sent
	return true
}

// privateDomains do not exist on the Internet (RFC 6762, RFC 8375, and names reserved by ICANN).
var privateDomains = []string{".local", ".internal", ".home.arpa", ".localdomain"}

// isPrivateName reports whether the name or address of a host, in any spelling, is one of a
// private network.
func isPrivateName(host string) bool {
	host = networkHost(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return isPrivate(ip)
	}
	return isLoopbackHost(host) || !strings.Contains(host, ".") ||
		slices.ContainsFunc(privateDomains, func(domain string) bool { return strings.HasSuffix(host, domain) })
}

// isPrivateHost reports whether a name has an address in a private network.
func isPrivateHost(ctx context.Context, host string) bool {
	if isPrivateName(host) {
		return true
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", networkHost(host))
	return err == nil && slices.ContainsFunc(found, isPrivate)
}
