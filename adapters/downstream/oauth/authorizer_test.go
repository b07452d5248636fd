package oauth_test

import (
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
			again := spec.Must(requests.Refused(ctx, refusal(status, challenge), "", 0))
			Expect(again).To(BeFalse())
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
