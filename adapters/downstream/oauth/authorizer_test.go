package oauth_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The requests of a server", func() {
	expire := func(ctx SpecContext, near *loginClient, server oauth.Server, left time.Duration) {
		GinkgoHelper()
		Expect(near.Store.Update(ctx, server.Key(), func(r *logins.Record) error {
			r.LastRefresh, r.Expiry = time.Now().Add(-time.Hour), time.Now().Add(left)
			return nil
		})).To(Succeed())
	}

	It("have no token before the first login, and then its token", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		requests := near.Authorizer(server)
		Expect(requests.Token(ctx)).To(BeEmpty())

		near.logIn(ctx, server)

		Expect(requests.Token(ctx)).To(Equal("access-token-1"))
	})

	It("ask for a login with the scopes that the server wants, in any process", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		far.documents["/odd"] = far.documents["/.well-known/oauth-protected-resource/mcp"]
		delete(far.documents, "/.well-known/oauth-protected-resource/mcp")

		again, err := near.Authorizer(server).Refused(ctx, refusal(401, `Bearer resource_metadata="`+far.URL+`/odd", scope="a b"`), "", 0)

		Expect(again).To(BeFalse())
		Expect(err).To(MatchError(&domain.LoginRequiredError{
			ID: domain.ServerID{Toolbox: "dev", Server: "team"}, Origin: far.URL, Why: "it asks for a login",
		}))
		Expect(query(near.begin(ctx, server)).Get("scope")).To(Equal("a b"))
	})

	It("are repeated after a login in the meantime", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)

		Expect(near.Authorizer(server).Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())
		Expect(far.forms).To(HaveLen(1))
	})

	It("are repeated once, after a refresh, when the token is refused", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		far.tokens = func(url.Values) (int, string) {
			return 200, `{"access_token":"access-token-2","refresh_token":"refresh-token-2"}`
		}
		requests := near.Authorizer(server)

		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "access-token-1", 0)).To(BeTrue())
		Expect(requests.Token(ctx)).To(Equal("access-token-2"))
		Expect(far.form()).To(Equal(url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {"refresh-token-1"}, "client_id": {"client-1"},
			"resource": {far.URL + "/mcp"}, "scope": {"read"},
		}))
		_, err := requests.Refused(ctx, refusal(401, "Bearer"), "access-token-2", 1)
		Expect(err).To(MatchError(domain.ErrLoginRequired))
		Expect(far.forms).To(HaveLen(2))
	})

	It("refresh with the currently configured secret", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		near.logIn(ctx, far.server(`{"clientId":"ours","clientSecret":"the-secret-of-yesterday"}`))
		far.tokens = func(url.Values) (int, string) { return 200, `{"access_token":"access-token-2"}` }
		requests := near.Authorizer(far.server(`{"clientId":"ours","clientSecret":"the-secret-of-today"}`))

		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "access-token-1", 0)).To(BeTrue())

		Expect(far.basics).To(Equal([]string{"ours:the-secret-of-yesterday", "ours:the-secret-of-today"}))
	})

	It("refresh an expired token first", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		expire(ctx, near, server, -time.Second)
		far.tokens = func(url.Values) (int, string) { return 200, `{"access_token":"access-token-2"}` }

		Expect(near.Authorizer(server).Token(ctx)).To(Equal("access-token-2"))
		Expect(near.Store.Read(server.Key())).To(HaveField("RefreshToken", "refresh-token-1"))
	})

	It("do not wait for the refresh of a token that is still valid", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		expire(ctx, near, server, 20*time.Second)
		refreshed := make(chan struct{})
		far.tokens = func(url.Values) (int, string) {
			close(refreshed)
			return 503, `{}`
		}
		requests := near.Authorizer(server)

		Expect(requests.Token(ctx)).To(Equal("access-token-1"))
		Eventually(ctx, refreshed).Should(BeClosed())
		Expect(requests.Token(ctx)).To(Equal("access-token-1"))
		near.Store.Wait(ctx)
	})

	It("are sent without a token after the login has ended, so that the server asks for a new one", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		expire(ctx, near, server, -time.Second)
		far.tokens = func(url.Values) (int, string) { return 400, `{"error":"invalid_grant"}` }
		requests := near.Authorizer(server)

		Expect(requests.Token(ctx)).To(BeEmpty())
		_, err := requests.Refused(ctx, refusal(401, "Bearer"), "", 0)

		Expect(err).To(MatchError(HaveSuffix("needs a login: its login has ended (the authorization server refused the refresh token)")))
	})

	It("keep a login whose authorization server cannot be reached", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		expire(ctx, near, server, -time.Second)
		far.tokens = func(url.Values) (int, string) { return 503, `{}` }

		_, err := near.Authorizer(server).Token(ctx)

		Expect(err).To(MatchError("the login at " + far.URL + " cannot be refreshed now: it answered with 503 Service Unavailable"))
		Expect(near.Store.Read(server.Key())).To(And(HaveField("Ended", ""), HaveField("RefreshToken", "refresh-token-1")))
	})

	It("ask for all earlier scopes and the missing ones", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		forbidden := refusal(403, `Bearer error="insufficient_scope", scope="write"`)

		_, err := near.Authorizer(server).Refused(ctx, forbidden, "access-token-1", 0)

		Expect(err).To(MatchError(HaveSuffix(`needs a login: it wants a login with the scopes "write"`)))
		Expect(query(near.begin(ctx, server)).Get("scope")).To(Equal("read write"))
	})

	It("name the key for scopes that the server does not name", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		near.logIn(ctx, far.server(`{}`))

		_, err := near.Authorizer(far.server(`{}`)).Refused(ctx, refusal(403, `Bearer error="insufficient_scope"`), "access-token-1", 0)

		Expect(err).To(MatchError(HaveSuffix(`it wants a login with more scopes, and does not say which ("oauth.scopes" in the configuration names them)`)))
	})

	It("give up on scopes that two logins did not grant, in any process", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		forbidden := refusal(403, `Bearer error="insufficient_scope", scope="write"`)
		for range 2 {
			_, err := near.Authorizer(server).Refused(ctx, forbidden, "access-token-1", 0)
			Expect(err).To(MatchError(domain.ErrLoginRequired))
			near.logIn(ctx, server)
		}

		_, err := near.Authorizer(server).Refused(ctx, forbidden, "access-token-1", 0)

		Expect(err).To(MatchError(`the server still wants the scopes "write" after 2 logins in a row`))
		_, err = near.Authorizer(server).Refused(ctx, refusal(403, `Bearer error="insufficient_scope", scope="other"`), "access-token-1", 0)
		Expect(err).To(MatchError(domain.ErrLoginRequired))
	})

	It("never use or refresh a token of a previously configured authorization server", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		const client = `"clientId":"me","clientSecret":"secret-of-me"`
		server := far.server(`{` + client + `}`)
		near.logIn(ctx, server)
		expire(ctx, near, server, -time.Second)
		asked := len(far.asked())

		requests := near.Authorizer(far.server(`{` + client + `,"issuer":"https://login.example"}`))

		Expect(requests.Token(ctx)).To(BeEmpty())
		_, err := requests.Refused(ctx, refusal(401, "Bearer resource_metadata=x"), "", 0)
		Expect(err).To(MatchError(domain.ErrLoginRequired))
		Expect(far.asked()).To(HaveLen(asked))
	})

	It("are refused as usual when the refusal is not about logins", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents = nil
		server := far.server(`{}`)
		server.Settings.Configured = false
		requests := near.Authorizer(server)

		for status, challenge := range map[int]string{403: "", 401: `Bearer error="invalid_token"`} {
			Expect(spec.Must(requests.Refused(ctx, refusal(status, challenge), "", 0))).To(BeFalse())
		}
		Expect(far.asked()).To(HaveLen(4))
		Expect(requests.Refused(ctx, refusal(401, ""), "", 0)).Error().NotTo(HaveOccurred())
		Expect(far.asked()).To(HaveLen(4), "the second 401 causes no request")
	})

	It("say why a configured login is impossible", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents = nil

		_, err := near.Authorizer(far.server(`{"clientId":"me"}`)).Refused(ctx, refusal(401, ""), "", 0)

		Expect(err).To(MatchError(And(HavePrefix("the server requires a login, which is not possible: the server does not say where to log in"),
			ContainSubstring("oauth.issuer"))))
	})
})

var _ = Describe("The settings of logins", func() {
	DescribeTable("are accepted", func(settings string) {
		Expect(oauth.Check(json.RawMessage(settings))).To(Succeed())
	},
		Entry("nothing", `{}`),
		Entry("off", `false`),
		Entry("a registered client", `{"clientId":"a","clientSecret":"b","issuer":"https://as.example","callbackPort":8080,"scopes":["a","b"]}`),
		Entry("variables", `{"clientId":"${A}","issuer":"${B}","callbackPort":"${C}","grant":"${D}","clientMetadataUrl":"${F}"}`),
		Entry("a port as text", `{"callbackPort":"8080"}`),
		Entry("a resource", `{"resource":"api://app"}`),
		Entry("no resource", `{"resource":false}`),
		Entry("a client without a user", `{"grant":"client_credentials","clientId":"a","privateKey":"/key.pem","issuer":"https://as.example"}`),
		Entry("an assertion with an issuer", `{"grant":"jwt-bearer","assertionFile":"/var/run/token","issuer":"https://as.example"}`),
		Entry("a note", `{"_note":"x"}`),
	)

	It("warn of a client's secret that goes where the server says", func() {
		Expect(oauth.Check(json.RawMessage(`{"clientId":"a","clientSecret":"b"}`))).To(MatchError(ContainSubstring(`has no "issuer" beside it`)))
	})

	DescribeTable("are refused", func(settings, key, found string) {
		problem, ok := errors.AsType[*domain.SettingError](oauth.Check(json.RawMessage(settings)))

		Expect(ok).To(BeTrue())
		Expect(problem.Key).To(HaveExactElements("oauth", key))
		Expect(problem.Found).To(Equal(found))
	},
		Entry("a number", `{"clientId":1}`, "clientId", "a number"),
		Entry("an empty text", `{"account":""}`, "account", "an empty string"),
		Entry("an issuer over plain http", `{"issuer":"http://as.example/x"}`, "issuer", "plain http to http://as.example, which anyone on the way could read"),
		Entry("an issuer of another kind", `{"issuer":"javascript:alert(1)"}`, "issuer", "not an address that can be used"),
		Entry("a redirect to another machine", `{"redirectUri":"http://example.com/"}`, "redirectUri", "plain http to http://example.com, which anyone on the way could read"),
		Entry("an invalid port", `{"callbackPort":70000}`, "callbackPort", "something else"),
		Entry("a port and a redirect", `{"callbackPort":1,"redirectUri":"http://127.0.0.1:1/"}`, "callbackPort", `this together with "redirectUri"`),
		Entry("a document that is not on the web", `{"clientMetadataUrl":"http://127.0.0.1/x"}`, "clientMetadataUrl", "another address"),
		Entry("an unknown grant", `{"grant":"password"}`, "grant", "an unknown grant"),
		Entry("a grant without a client", `{"grant":"client_credentials","clientSecret":"x"}`, "clientId", "nothing"),
		Entry("a grant with neither secret nor key", `{"grant":"client_credentials","clientId":"x"}`, "grant", "this grant"),
		Entry("a grant with both", `{"grant":"client_credentials","clientId":"x","clientSecret":"x","privateKey":"x"}`, "grant", "this grant"),
		Entry("an assertion without its file", `{"grant":"jwt-bearer"}`, "assertionFile", "nothing"),
		Entry("a key that no grant uses", `{"clientId":"x","privateKey":"x"}`, "privateKey", "this without its grant"),
		Entry("an assertion that no grant uses", `{"assertionFile":"x"}`, "assertionFile", "this without its grant"),
		Entry("a secret without a client", `{"clientSecret":"x"}`, "clientSecret", "a secret without a client"),
		Entry("a client's secret without an issuer", `{"grant":"client_credentials","clientId":"x","clientSecret":"x"}`, "issuer", "nothing"),
		Entry("a client's key without an issuer", `{"grant":"client_credentials","clientId":"x","privateKey":"x"}`, "issuer", "nothing"),
		Entry("a client's key with a variable grant, without an issuer", `{"grant":"${G}","clientId":"x","privateKey":"x"}`, "issuer", "nothing"),
		Entry("an assertion without an issuer", `{"grant":"jwt-bearer","assertionFile":"x"}`, "issuer", "nothing"),
		Entry("an unknown key", `{"clientID":"x"}`, "clientID", "an unknown key"),
	)

	It("are an object or false", func() {
		for _, settings := range []string{`true`, `"x"`, `[]`, `null`} {
			Expect(oauth.Check(json.RawMessage(settings))).NotTo(Succeed(), settings)
		}
	})

	DescribeTable("apply only where a login is possible", func(settings string, expected error) {
		_, err := oauth.ServerOf(domain.Server{Settings: json.RawMessage(settings)})

		if expected == nil {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		Expect(err).To(MatchError(expected))
	},
		Entry("a server behind a URL", `{"url":"https://example.com/mcp"}`, nil),
		Entry("a program", `{"command":"x"}`, oauth.ErrNoAddress),
		Entry("turned off", `{"url":"https://example.com/mcp","oauth":false}`, oauth.ErrOff),
		Entry("an Authorization header", `{"url":"https://example.com/mcp","headers":{"authorization":"x"}}`, oauth.ErrHasAuthorization),
		Entry("a user in the URL", `{"url":"https://me:secret@example.com/mcp"}`, oauth.ErrHasAuthorization),
	)

	DescribeTable("tell logins apart", func(first, other string, same bool) {
		key := func(settings string) any {
			return spec.Must(oauth.ServerOf(domain.Server{Settings: json.RawMessage(settings)})).Key()
		}

		Expect(key(first) == key(other)).To(Equal(same))
	},
		Entry("one address written in two ways", `{"url":"https://Example.com:443/mcp?x=1"}`, `{"url":"https://example.com/mcp#y"}`, true),
		Entry("the root", `{"url":"https://example.com/"}`, `{"url":"https://example.com"}`, true),
		Entry("white space around it", `{"url":" https://example.com/mcp\n"}`, `{"url":"https://example.com/mcp"}`, true),
		Entry("a space in it", `{"url":"https://example.com/my mcp"}`, `{"url":"https://example.com/my%20mcp"}`, true),
		Entry("a name with other letters than those of ASCII", `{"url":"https://B\u00fccher.example/mcp"}`, `{"url":"https://xn--bcher-kva.example/mcp"}`, true),
		Entry("two paths", `{"url":"https://example.com/a"}`, `{"url":"https://example.com/b"}`, false),
		Entry("two accounts", `{"url":"https://example.com","oauth":{"account":"a"}}`, `{"url":"https://example.com"}`, false),
		Entry("two clients", `{"url":"https://example.com","oauth":{"clientId":"a"}}`, `{"url":"https://example.com"}`, false),
	)
})
