package callers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Address is where to listen.
type Address struct {
	// Listen is an IP address and a port, for net.Listen. A name was resolved to it, so that
	// the address that was checked is the one that is used.
	Listen string
	// Network is "tcp4" for an address of version 4, otherwise "tcp": listening at every
	// address of version 6 includes every address of version 4.
	Network string
	// IsLoopback says that only programs on this machine reach it.
	IsLoopback bool
}

// Resolver finds the addresses of a name, as net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// errForm says why a text is not an address to listen at.
var errForm = errors.New("want an address and a port, for example 127.0.0.1:7345")

// ParseAddress reads an address to listen at: "127.0.0.1:7345", "[::1]:7345",
// "localhost:7345", ":7345" for every address on this machine. Port 0 means any free port.
//
// Failures: what is wrong with the text; a name that cannot be resolved.
func ParseAddress(ctx context.Context, text string, names Resolver) (Address, error) {
	if strings.Contains(text, "/") {
		return Address{}, fmt.Errorf("%q: %w, without a scheme or a path", text, errForm)
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return Address{}, fmt.Errorf("%q: %w", text, errForm)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return Address{}, fmt.Errorf("%q: the port %q is not a number from 0 to 65535", text, port)
	}
	if host == "" {
		return Address{Listen: ":" + port, Network: "tcp"}, nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		if ip, err = resolve(ctx, host, names); err != nil {
			return Address{}, fmt.Errorf("%q: %w", text, err)
		}
	}
	network := "tcp"
	if ip.Is4() {
		network = "tcp4"
	}
	return Address{Listen: net.JoinHostPort(ip.String(), port), Network: network, IsLoopback: ip.Unmap().IsLoopback()}, nil
}

// resolve returns the address of a name to listen at, the first one of version 4 if there
// is one.
func resolve(ctx context.Context, name string, names Resolver) (netip.Addr, error) {
	if isLocalhost(name) {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil // whatever the hosts file has
	}
	found, err := names.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("resolve %q: %w", name, err)
	}
	if len(found) == 0 {
		return netip.Addr{}, fmt.Errorf("%q has no address", name)
	}
	first := slices.IndexFunc(found, func(ip netip.Addr) bool { return ip.Unmap().Is4() })
	return found[max(first, 0)].Unmap(), nil
}

// isLoopbackHost reports whether the host of a header, without its port, is this machine. The
// only such name is "localhost": name servers decide where others resolve to.
func isLoopbackHost(host string) bool {
	if isLocalhost(host) {
		return true
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return err == nil && ip.Unmap().IsLoopback()
}

func isLocalhost(host string) bool {
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// hostOf returns the host of "host:port" or "host", in lower case, with the brackets of an
// address of version 6.
func hostOf(hostport string) string {
	host := hostport
	if i := strings.LastIndexByte(hostport, ':'); i >= 0 && !strings.Contains(hostport[i:], "]") {
		host = hostport[:i]
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
