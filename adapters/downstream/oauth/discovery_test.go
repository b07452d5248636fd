package oauth_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The authorization server of a server", func() {
	const (
		pathPlace = "/.well-known/oauth-protected-resource/mcp"
		rootPlace = "/.well-known/oauth-protected-resource"
		asPlace   = "/.well-known/oauth-authorization-server"
	)

	DescribeTable("is found in the order of the specification",
		func(ctx SpecContext, change func(*remote), asked ...string) {
			far, near := newRemote(), newLoginClient()
			change(far)

			near.begin(ctx, far.server(`{"clientId":"me"}`))

			Expect(far.asked()).To(Equal(asked))
		},
		Entry("metadata at the path", func(*remote) {}, pathPlace, asPlace),
		Entry("metadata at the root", func(r *remote) {
			r.documents[rootPlace] = r.documents[pathPlace]
			delete(r.documents, pathPlace)
		}, pathPlace, rootPlace, asPlace),
		Entry("an issuer with a path", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL, "authorization_servers": []string{r.URL + "/t/1"}}
			r.documents["/t/1/.well-known/openid-configuration"] = r.metadata(map[string]any{"issuer": r.URL + "/t/1"})
		}, pathPlace, asPlace+"/t/1", "/.well-known/openid-configuration/t/1", "/t/1/.well-known/openid-configuration"),
		Entry("OpenID Connect only", func(r *remote) {
			r.documents["/.well-known/openid-configuration"] = r.documents[asPlace]
			delete(r.documents, asPlace)
		}, pathPlace, asPlace, "/.well-known/openid-configuration"),
		Entry("a server of 2025-03-26, which is its own authorization server", func(r *remote) { delete(r.documents, pathPlace) }, pathPlace, rootPlace, asPlace),
		Entry("metadata that moved", func(r *remote) {
			r.documents["/moved"] = r.documents[asPlace]
			r.documents[asPlace] = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				http.Redirect(w, request, "/moved", http.StatusFound)
			})
		}, pathPlace, asPlace, "/moved"),
		Entry("metadata that does not speak of PKCE", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"code_challenge_methods_supported": nil})
		}, pathPlace, asPlace),
		Entry("an issuer that the server writes with a slash", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mcp", "authorization_servers": []string{r.URL + "/"}}
		}, pathPlace, asPlace),
		Entry("an issuer that only its metadata writes with a slash", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"issuer": r.URL + "/"})
		}, pathPlace, asPlace),
	)

	DescribeTable("is the configured one, whatever the server says", Label("A11"),
		func(ctx SpecContext, settings string, change func(*remote)) {
			far, near := newRemote(), newLoginClient()
			change(far)

			record := near.logIn(ctx, far.server(settings))

			Expect(record.AccessToken).To(Equal("access-token-1"))
			Expect(near.Authorizer(far.server(settings)).Token(ctx)).To(Equal("access-token-1"), "the login is that of the configured issuer")
			Expect(record.Resource).To(Equal(far.URL + "/mcp"))
		},
		Entry("without a slash", `{"issuer":"ISSUER"}`, func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mcp", "authorization_servers": []string{r.URL + "/"}}
		}),
		Entry("with a slash", `{"issuer":"ISSUER/"}`, func(*remote) {}),
		Entry("that the server does not offer", `{"issuer":"ISSUER"}`, func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mcp", "authorization_servers": []string{"https://as.example"}}
		}),
		Entry("whose metadata is at the root of its host", `{"issuer":"ISSUER/behind/proxy"}`, func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"issuer": r.URL + "/behind/proxy"})
		}),
		Entry("in place of metadata of another resource", `{"issuer":"ISSUER"}`, func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": "http://internal:8000/mcp", "authorization_servers": []string{"http://internal:8000"}}
		}),
	)

	DescribeTable("is found at the well-known places when the challenge leads nowhere", Label("A11"),
		func(ctx SpecContext, named string) {
			far, near := newRemote(), newLoginClient()
			server := far.server(`{}`)
			near.challenge(ctx, server, strings.ReplaceAll(named, "FAR", far.URL))

			Expect(near.logIn(ctx, server).AccessToken).To(Equal("access-token-1"))
		},
		Entry("to nothing", "FAR/wrong"),
		Entry("over plain http to an internal name", "http://internal-svc:8000/.well-known/oauth-protected-resource/mcp"),
		Entry("to no server", "http://127.0.0.1:1/x"),
		Entry("to a script", "javascript:alert(1)"),
		Entry("below the server", pathPlace),
	)

	It("is not looked for elsewhere when the challenge names metadata of another resource", Label("A11"), func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/elsewhere"] = map[string]any{"resource": "https://other.example/mcp", "authorization_servers": []string{far.URL}}
		server := far.server(`{}`)
		near.challenge(ctx, server, far.URL+"/elsewhere")

		_, err := near.Begin(ctx, server, nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(ContainSubstring(`is for another resource ("https://other.example/mcp", not "` + far.URL + `/mcp")`)))
		Expect(far.asked()).To(Equal([]string{"/elsewhere"}))
	})

	It("can be configured if neither challenge nor well-known places name it", Label("A11"), func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		delete(far.documents, pathPlace)
		server := far.server(`{}`)
		near.challenge(ctx, server, "http://internal-svc:8000/x?key=secret")

		_, err := near.Begin(ctx, server, nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(`the server's challenge names metadata at "http://internal-svc:8000/x", which is plain http to http://internal-svc:8000, ` +
			`which anyone on the way could read; the server has none at the well-known addresses either ("oauth.issuer" in the configuration names where to log in)`))
		configured := far.server(`{"issuer":"ISSUER"}`)
		near.challenge(ctx, configured, "http://internal-svc:8000/x")
		Expect(near.logIn(ctx, configured).AccessToken).To(Equal("access-token-1"))
	})

	DescribeTable("is not used, and one line says why",
		func(ctx SpecContext, change func(*remote), expected string) {
			far, near := newRemote(), newLoginClient()
			change(far)

			_, err := near.Begin(ctx, far.server(`{"clientId":"me"}`), nil, listenAt(callbackAddress))

			Expect(err).To(MatchError(strings.ReplaceAll(expected, "FAR", far.URL)))
			Expect(near.Store.List()).To(BeEmpty(), "nothing is written")
		},
		Entry("metadata of another resource", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": "https://other.example/mcp", "authorization_servers": []string{r.URL}}
		}, `the metadata of the server is for another resource ("https://other.example/mcp", not "FAR/mcp"), so it is not used; `+
			`with "oauth.issuer" in the configuration the login does without it`),
		Entry("metadata of a path beside it", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mc", "authorization_servers": []string{r.URL}}
		}, `the metadata of the server is for another resource ("FAR/mc", not "FAR/mcp"), so it is not used; `+
			`with "oauth.issuer" in the configuration the login does without it`),
		Entry("metadata of another issuer", func(r *remote) { r.documents[asPlace] = r.metadata(map[string]any{"issuer": "https://evil.example/x"}) },
			`the metadata of the authorization server at FAR names the issuer "https://evil.example/x", not "FAR", so it is not used; `+
				`if its provider says that it is right, write that issuer into "oauth.issuer" of the server in the configuration`),
		Entry("metadata of an issuer below it", func(r *remote) { r.documents[asPlace] = r.metadata(map[string]any{"issuer": r.URL + "/behind/proxy/"}) },
			`the metadata of the authorization server at FAR names the issuer "FAR/behind/proxy/", not "FAR", so it is not used; `+
				`if its provider says that it is right, write that issuer into "oauth.issuer" of the server in the configuration`),
		Entry("metadata of an issuer with a path that differs by a slash", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL, "authorization_servers": []string{r.URL + "/t/1"}}
			r.documents[asPlace+"/t/1"] = r.metadata(map[string]any{"issuer": r.URL + "/t/1/"})
		}, `the metadata of the authorization server at FAR names the issuer "FAR/t/1/", not "FAR/t/1", so it is not used; `+
			`if its provider says that it is right, write that issuer into "oauth.issuer" of the server in the configuration`),
		Entry("plain PKCE only", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"code_challenge_methods_supported": []string{"plain"}})
		}, "the authorization server at FAR takes PKCE without S256 only (code_challenge_methods_supported), so a login there could be stolen"),
		Entry("no PKCE", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"code_challenge_methods_supported": []string{}})
		}, "the authorization server at FAR takes PKCE without S256 only (code_challenge_methods_supported), so a login there could be stolen"),
		Entry("a token endpoint over plain http", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"token_endpoint": "http://as.example/token?secret"})
		}, "the metadata of the authorization server at FAR: token_endpoint is plain http to http://as.example, which anyone on the way could read"),
		Entry("a login page that is a script", func(r *remote) {
			r.documents[asPlace] = r.metadata(map[string]any{"authorization_endpoint": "javascript:alert(1)"})
		}, "the metadata of the authorization server at FAR: authorization_endpoint is not an address that can be used"),
		Entry("an authorization server over plain http", func(r *remote) {
			r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mcp", "authorization_servers": []string{"http://as.example"}}
		}, "the authorization server's address is plain http to http://as.example, which anyone on the way could read"),
		Entry("no named authorization server", func(r *remote) { r.documents[pathPlace] = map[string]any{"resource": r.URL + "/mcp"} },
			`the metadata of the server names no authorization server; "oauth.issuer" in the configuration can`),
		Entry("metadata that is a page", func(r *remote) { r.documents[asPlace] = "<html>" }, "the authorization server at FAR has no metadata"),
		Entry("metadata that is too large", func(r *remote) { r.documents[asPlace] = `{"x":"` + strings.Repeat("x", 1<<20) + `"}` },
			"read the metadata of the authorization server: FAR answered with more than 1048576 bytes"),
		Entry("metadata of wrong types", func(r *remote) { r.documents[asPlace] = `{"issuer":1}` },
			"the metadata of the authorization server, from FAR, does not follow RFC 8414"),
		Entry("metadata that redirects in a circle", func(r *remote) {
			r.documents[asPlace] = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				http.Redirect(w, request, asPlace, http.StatusFound)
			})
		}, "the authorization server at FAR has no metadata"),
		Entry("metadata that moved to plain http", func(r *remote) {
			r.documents[asPlace] = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				http.Redirect(w, request, "http://as.example/x", http.StatusFound)
			})
		}, "read the metadata of the authorization server: ask FAR: its address is plain http to http://as.example, which anyone on the way could read"),
	)

	It("is only the configured one", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()

		_, err := near.Begin(ctx, far.server(`{"clientId":"me","issuer":"ISSUER/other"}`), nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(HavePrefix("the server accepts logins at " + far.URL + `, "oauth.issuer" in the configuration names ` + far.URL + `/other, and `)))
		Expect(near.Store.List()).To(BeEmpty(), "nothing is written")
	})

	It("gets no client registered at another", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{"clientId":"me","clientSecret":"secret-of-me"}`)
		Expect(near.Store.Update(ctx, server.Key(), func(r *logins.Record) error {
			r.Registrations = map[string]logins.Registration{"https://old.example": {ClientID: "me"}}
			return nil
		})).To(Succeed())

		_, err := near.Begin(ctx, server, nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(ContainSubstring("the configured client was used at https://old.example before")))
	})

	It("must be configured for a server over plain http", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		server.Address.Host = "mcp.example.com"

		_, err := near.Begin(ctx, server, nil, listenAt(callbackAddress))

		Expect(err).To(MatchError("the server's address is plain http to http://mcp.example.com, which anyone on the way could read; tokens are not sent there"))
	})
})

var _ = DescribeTable("Metadata of a public server leads to no private address", Label("A09"),
	func(ctx SpecContext, address string) {
		far := newRemote()
		client := oauth.NewGuardedClient(false)

		_, err := client.Get(strings.Replace(far.URL, "127.0.0.1", address, 1) + "/x")

		Expect(err).To(MatchError(ContainSubstring("leads to an address in a private network")))
		Expect(far.asked()).To(BeEmpty())
	},
	Entry("as an address", "127.0.0.1"),
	Entry("as a name", "localhost"),
)

var _ = DescribeTable("A challenge is read",
	func(expected logins.Challenge, lines ...string) {
		Expect(oauth.ReadChallenge(http.Header{"Www-Authenticate": lines})).To(Equal(expected))
	},
	Entry("from nothing", logins.Challenge{}),
	Entry("from Bearer alone", logins.Challenge{}, "Bearer"),
	Entry("with all parameters", logins.Challenge{ResourceMetadata: "https://a/b?c=d", Scopes: []string{"x", "y"}, Error: "insufficient_scope"},
		`Bearer error="insufficient_scope", scope="x y x", resource_metadata="https://a/b?c=d", error_description="a, \"b\""`),
	Entry("whatever the case of its names", logins.Challenge{Error: "invalid_token"}, `bearer ERROR=invalid_token`),
	Entry("between others on its line", logins.Challenge{Scopes: []string{"x"}, Error: "e"},
		`Basic realm="a, Bearer scope=no", Bearer scope="x", error=e, Digest scope=no, error="no"`),
	Entry("after one whose credentials are not parameters", logins.Challenge{Scopes: []string{"x"}}, `Negotiate a2V5==, Bearer scope=x`),
	Entry("from several lines", logins.Challenge{ResourceMetadata: "https://a", Scopes: []string{"x"}},
		`Negotiate`, `Bearer scope="x"`, `Bearer resource_metadata="https://a", scope="y"`),
	Entry("before an unreadable one", logins.Challenge{Scopes: []string{"x"}}, `Bearer scope="x", ;;, error=e`),
	Entry("with an unterminated string", logins.Challenge{Scopes: []string{"x", "y"}}, `Bearer scope="x y`),
	Entry("but not from an endless line", logins.Challenge{Error: "e"}, `Bearer scope="`+strings.Repeat("x ", 5000)+`"`, "Bearer error=e"),
	Entry("with empty scopes as without scopes", logins.Challenge{}, `Bearer scope=""`),
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
			Expect(spec.Must(client.Do(request)).Body.Close()).To(Succeed())
		}

		Expect(*forFar).To(Equal(1))
		Expect(*forOther).To(BeZero())
	})
})
