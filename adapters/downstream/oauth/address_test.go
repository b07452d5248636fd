package oauth_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/tests/spec"
)

var _ = DescribeTable("An address is private", Label("A09"),
	func(address string, expected bool) {
		Expect(oauth.IsPrivate(netip.MustParseAddr(address))).To(Equal(expected))
	},
	Entry("of the loopback network", "127.8.0.1", true),
	Entry("of the loopback, in IPv6", "::1", true),
	Entry("of the loopback, mapped into IPv6", "::ffff:127.0.0.1", true),
	Entry("of \"this network\", which reaches this machine", "0.0.0.1", true),
	Entry("of a private network", "172.16.0.1", true),
	Entry("of a cloud's metadata", "169.254.169.254", true),
	Entry("of a cloud's metadata, through NAT64", "64:ff9b::a9fe:a9fe", true),
	Entry("of a cloud's metadata, through a network's own NAT64", "64:ff9b:1::a9fe:a9fe", true),
	Entry("of a private network, through 6to4", "2002:0a00:0001::1", true),
	Entry("of a private network, compatible with IPv4", "::10.0.0.1", true),
	Entry("of a unique local network", "fd00::1", true),
	Entry("of a site (deprecated)", "fec0::1", true),
	Entry("between carriers and customers", "100.64.0.1", true),
	Entry("for broadcasts", "255.255.255.255", true),
	Entry("of a Teredo tunnel", "2001:0:7f00:1::1", true),
	Entry("of the loopback, translated", "::ffff:0:7f00:1", true),
	Entry("not of the Internet", "8.8.8.8", false),
	Entry("not of the Internet, through NAT64", "64:ff9b::808:808", false),
	Entry("not of the Internet, in IPv6", "2001:4860:4860::8888", false),
)

var _ = DescribeTable("A name is private, however it is spelled", Label("TO04"),
	func(host string, expected bool) {
		Expect(oauth.IsPrivateName(host)).To(Equal(expected))
	},
	Entry("this machine", "localhost", true),
	Entry("this machine, with a final dot", "LocalHost.", true),
	Entry("this machine, in full-width letters", "\uff4cocalhost", true),
	Entry("an address, with a final dot", "127.0.0.1.", true),
	Entry("an address in full-width digits and dots", "\uff11\uff12\uff17\u30020.0.1", true),
	Entry("a name without a domain", "intranet", true),
	Entry("a name of a cloud", "metadata.google.internal", true),
	Entry("a name of the Internet", "login.example.com", false),
	Entry("a name of the Internet, with a final dot", "login.example.com.", false),
	Entry("an address of the Internet", "8.8.8.8", false),
)

var _ = DescribeTable("An ambiguous spelling of an address is refused", Label("TO04"),
	func(host string) {
		_, err := oauth.CheckAddress("https://" + host + "/x")
		Expect(err).To(MatchError(ContainSubstring("programs disagree")))
	},
	Entry(nil, "127.1"), Entry(nil, "2130706433"), Entry(nil, "0x7f000001"), Entry(nil, "0xa9fea9fe."), Entry(nil, "0177.0.0.1"),
	Entry(nil, "10.0.0.1.."), Entry(nil, "localhost.."), Entry(nil, "x..example.com"), Entry(nil, ".localhost"),
	Entry(nil, "127.0.0.0x1"), Entry(nil, "example.0x"), Entry(nil, "\uff11.1"), Entry(nil, "1.2.3.4.5"),
)

var _ = Describe("Whether a server is in a private network", func() {
	here := netip.MustParseAddr("127.0.0.1")
	// serverAt returns a server on this machine under the name that its certificate has.
	serverAt := func() (*url.URL, *tls.Config) {
		GinkgoHelper()
		far := httptest.NewTLSServer(http.NotFoundHandler())
		DeferCleanup(far.Close)
		address := spec.Must(url.Parse(far.URL))
		address.Host = "example.com:" + address.Port()
		return address, &tls.Config{RootCAs: far.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	}

	It("follows from its name if that resolves to a private address of the server", func(ctx SpecContext) {
		address, config := serverAt()

		Expect(oauth.IsPrivateServer(ctx, address, config, here)).To(BeTrue())
		Expect(oauth.IsPrivateServer(ctx, address, config, netip.MustParseAddr("192.0.2.1"))).To(BeFalse())
	})

	It("does not follow from a name that resolves to a private address of another server", Label("A09"), func(ctx SpecContext) {
		address, _ := serverAt()

		Expect(oauth.IsPrivateServer(ctx, address, &tls.Config{}, here)).To(BeFalse(), "another server is there")
		address.Host = "example.com:1"
		Expect(oauth.IsPrivateServer(ctx, address, &tls.Config{}, here)).To(BeFalse(), "nothing is there")
	})

	It("follows from an address", func(ctx SpecContext) {
		Expect(oauth.IsPrivateServer(ctx, &url.URL{Scheme: "https", Host: "10.0.0.1"}, nil)).To(BeTrue())
		Expect(oauth.IsPrivateServer(ctx, &url.URL{Scheme: "https", Host: "8.8.8.8"}, nil)).To(BeFalse())
		Expect(oauth.IsPrivateServer(ctx, &url.URL{Scheme: "http", Host: "localhost"}, nil)).To(BeTrue())
		Expect(oauth.IsPrivateServer(ctx, &url.URL{Scheme: "https", Host: "mcp.corp.internal"}, nil)).To(BeTrue())
		Expect(oauth.IsPrivateServer(ctx, &url.URL{Scheme: "https", Host: "127.1"}, nil)).To(BeFalse())
	})
})

var _ = Describe("A client certificate", func() {
	It("is shown to the server that it is for, and not to the authorization server", func(ctx SpecContext) {
		shown := func() (*httptest.Server, *int) {
			count := new(int)
			far := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { *count = len(r.TLS.PeerCertificates) }))
			far.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
			far.StartTLS()
			DeferCleanup(far.Close)
			return far, count
		}
		far, forFar := shown()
		other, forOther := shown()
		address := spec.Must(url.Parse(far.URL + "/mcp"))
		config := &tls.Config{RootCAs: far.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &far.TLS.Certificates[0], nil }
		client := oauth.NewCertifiedClient(oauth.Server{Address: address}, config)

		for _, asked := range []string{far.URL + "/.well-known/x", other.URL + "/token"} {
			request := spec.Must(http.NewRequestWithContext(ctx, http.MethodGet, asked, nil))
			response := spec.Must(client.Do(request))
			Expect(response.Body.Close()).To(Succeed())
		}

		Expect(*forFar).To(Equal(1))
		Expect(*forOther).To(BeZero())
	})
})
