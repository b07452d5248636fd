package callers_test

import (
	"context"
	"errors"
	"net/netip"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
)

// names are what names resolve to.
type names map[string][]netip.Addr

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if found, ok := n[host]; ok {
		return found, nil
	}
	return nil, errors.New("no such host")
}

var _ = Describe("An address to listen at", func() {
	resolved := names{
		"mine.test":  {netip.MustParseAddr("::1"), netip.MustParseAddr("127.0.0.1")},
		"there.test": {netip.MustParseAddr("192.0.2.7")},
		"six.test":   {netip.MustParseAddr("2001:db8::1")},
		"none.test":  nil,
	}

	DescribeTable("is reachable from this machine only",
		func(text, listen, network string) {
			Expect(callers.ParseAddress(context.Background(), text, resolved)).To(Equal(callers.Address{Listen: listen, Network: network, IsLoopback: true}))
		},
		Entry("the usual one", "127.0.0.1:7345", "127.0.0.1:7345", "tcp4"),
		Entry("another of the loopback network", "127.8.9.1:7345", "127.8.9.1:7345", "tcp4"),
		Entry("an address of version 6", "[::1]:7345", "[::1]:7345", "tcp"),
		Entry("an address of version 4 mapped into version 6", "[::ffff:127.0.0.1]:0", "[::ffff:127.0.0.1]:0", "tcp"),
		Entry("localhost", "localhost:7345", "127.0.0.1:7345", "tcp4"),
		Entry("localhost, in mixed case with a final dot", "LocalHost.:7345", "127.0.0.1:7345", "tcp4"),
		Entry("another name of the machine", "mine.test:7345", "127.0.0.1:7345", "tcp4"),
	)

	DescribeTable("is reachable from elsewhere", Label("TH09"),
		func(text, listen, network string) {
			Expect(callers.ParseAddress(context.Background(), text, resolved)).To(Equal(callers.Address{Listen: listen, Network: network}))
		},
		Entry("every address", ":7345", ":7345", "tcp"),
		Entry("every address of version 4 only", "0.0.0.0:7345", "0.0.0.0:7345", "tcp4"),
		Entry("every address of both versions", "[::]:7345", "[::]:7345", "tcp"),
		Entry("one of a network", "192.168.1.5:80", "192.168.1.5:80", "tcp4"),
		Entry("a name", "there.test:7345", "192.0.2.7:7345", "tcp4"),
		Entry("a name of version 6", "six.test:7345", "[2001:db8::1]:7345", "tcp"),
	)

	DescribeTable("is refused, with the reason",
		func(text, wrong string) {
			_, err := callers.ParseAddress(context.Background(), text, resolved)
			Expect(err).To(MatchError(ContainSubstring(wrong)))
		},
		Entry("nothing", "", "want an address and a port, for example 127.0.0.1:7345"),
		Entry("a port alone", "7345", "want an address and a port"),
		Entry("no port", "127.0.0.1", "want an address and a port"),
		Entry("a URL", "http://127.0.0.1:7345/mcp", "without a scheme or a path"),
		Entry("a socket", "unix:/run/workbench.sock", "without a scheme or a path"),
		Entry("a service", "127.0.0.1:http", `the port "http" is not a number`),
		Entry("a port that is too large", "127.0.0.1:65536", "not a number from 0 to 65535"),
		Entry("no port after the colon", "127.0.0.1:", `the port "" is not a number`),
		Entry("an address of version 6 without brackets", "::1:7345", "want an address and a port"),
		Entry("an unknown name", "nowhere.test:1", `resolve "nowhere.test"`),
		Entry("a name without an address", "none.test:1", "has no address"),
	)
})
