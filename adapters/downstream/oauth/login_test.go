package oauth_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A login of a user", func() {
	It("finds the authorization server, registers there, and keeps the tokens", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)

		pending := near.begin(ctx, server)
		record := spec.Must(near.Complete(ctx, server, answerOf(pending, "a-code-of-the-server")))
		Expect(query(pending)).To(Equal(url.Values{
			"tenant": {"a"}, "response_type": {"code"}, "client_id": {"client-1"}, "redirect_uri": {callbackAddress}, "scope": {"read"},
			"state": {pending.State}, "resource": {far.URL + "/mcp"}, "code_challenge_method": {"S256"},
			"code_challenge": {challengeFor(pending.Verifier)},
		}))
		Expect(far.form()).To(Equal(url.Values{
			"grant_type": {"authorization_code"}, "code": {"a-code-of-the-server"}, "client_id": {"client-1"},
			"redirect_uri": {callbackAddress}, "code_verifier": {pending.Verifier}, "resource": {far.URL + "/mcp"},
		}))
		Expect(record.AccessToken).To(Equal("access-token-1"))
		Expect(record.RefreshToken).To(Equal("refresh-token-1"))
		Expect(record.Issuer).To(Equal(far.URL))
		Expect(near.Store.Read(server.Key())).To(Equal(record))
	})

	It("sends its kind of client when it registers", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()

		near.begin(ctx, far.server(`{}`))

		Expect(far.registering).To(ConsistOf(And(
			HaveKeyWithValue("application_type", "native"), HaveKeyWithValue("redirect_uris", ConsistOf(callbackAddress)),
			HaveKeyWithValue("grant_types", ConsistOf("authorization_code", "refresh_token")),
			HaveKeyWithValue("token_endpoint_auth_method", "none"), HaveKeyWithValue("client_name", "MCP Workbench"),
		)))
	})

	It("registers once for one redirect, and again for another", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.begin(ctx, server)

		Expect(near.Begin(ctx, server, nil, listenAt("http://127.0.0.1:1/callback"))).Error().NotTo(HaveOccurred())
		Expect(far.registering).To(HaveLen(1))

		taken := func(oauth.Redirect) (string, error) { return "http://127.0.0.1:4712/callback", nil }
		Expect(near.Begin(ctx, server, nil, taken)).Error().NotTo(HaveOccurred())
		Expect(far.registering).To(HaveLen(2))
	})

	It("registers with the scopes that it asks for, and again when it asks for more", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		near.logIn(ctx, far.server(`{}`))
		near.logIn(ctx, far.server(`{}`))

		near.logIn(ctx, far.server(`{"scopes":["read","write"]}`))

		Expect(far.registering).To(HaveExactElements(HaveKeyWithValue("scope", "read"), HaveKeyWithValue("scope", "read write")))
	})

	It("names the id of a client that the user registers where the server registers none", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/refusing-registration"] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"error": "access_denied", "error_description": "not for programs"}`))
		})
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"registration_endpoint": far.URL + "/refusing-registration"})

		_, err := near.Begin(ctx, far.server(`{}`), nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(ContainSubstring(
			`does not register a client: access_denied: not for programs; one that you register there yourself can be named by "oauth.clientId" in the configuration`)))
	})

	It("registers without scopes at a server that refuses them there", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/register-strictly"] = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			var client map[string]any
			_ = json.NewDecoder(request.Body).Decode(&client)
			if client["scope"] != nil {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"error":"invalid_client_metadata"}`))
				return
			}
			_, _ = w.Write([]byte(`{"client_id":"client-without-scopes"}`))
		})
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"registration_endpoint": far.URL + "/register-strictly"})

		Expect(near.logIn(ctx, far.server(`{}`)).ClientID).To(Equal("client-without-scopes"))
		Expect(near.logIn(ctx, far.server(`{"scopes":["write"]}`)).ClientID).To(Equal("client-without-scopes"))
	})

	It("names the key for the document of a client where no other client is taken", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{
			"registration_endpoint": nil, "client_id_metadata_document_supported": true,
		})

		_, err := near.Begin(ctx, far.server(`{}`), nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(ContainSubstring(`"oauth.clientMetadataUrl"`)))
	})

	DescribeTable("asks for tokens for the resource", func(ctx SpecContext, settings string, resource ...string) {
		far, near := newRemote(), newLoginClient()
		pending := near.begin(ctx, far.server(settings))

		record := spec.Must(near.Complete(ctx, far.server(settings), answerOf(pending, "a-code-of-the-server")))

		var wanted []string
		for _, text := range resource {
			wanted = append(wanted, strings.ReplaceAll(text, "FAR", far.URL))
		}
		Expect(query(pending)["resource"]).To(Equal(wanted))
		Expect(far.form()["resource"]).To(Equal(wanted))
		Expect(record.Resource).To(Equal(strings.Join(wanted, "")))
	},
		Entry("of the server", `{}`, "FAR/mcp"),
		Entry("that the configuration names", `{"resource":"api://app"}`, "api://app"),
		Entry("that is left out by the configuration", `{"resource":false}`),
	)

	DescribeTable("leaves out the resource that an authorization server refuses, from the next time on",
		func(ctx SpecContext, code, words string) {
			far, near := newRemote(), newLoginClient()
			server := far.server(`{}`)
			pending := near.begin(ctx, server)
			refused := url.Values{"error": {code}, "error_description": {words}, "state": {pending.State}, "iss": {pending.Issuer}}

			_, err := near.Complete(ctx, server, pending.RedirectURI+"?"+refused.Encode())

			Expect(err).To(MatchError(oauth.ErrWithoutResource))
			Expect(query(near.begin(ctx, server))).NotTo(HaveKey("resource"))
			Expect(query(near.begin(ctx, far.server(`{"resource":"api://app"}`)))).To(HaveKey("resource"))
		},
		Entry("by RFC 8707", "invalid_target", ""),
		Entry("in the words of Microsoft Entra ID", "invalid_request", "AADSTS9010010: the resource does not match the scopes"),
	)

	It("registers again when the login of a registered client has ended", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		Expect(near.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Ended = "the authorization server refused the refresh token"
			return nil
		})).To(Succeed())
		far.registration = map[string]any{"client_id": "client-2"}

		Expect(near.begin(ctx, server).ClientID).To(Equal("client-2"))
		Expect(near.begin(ctx, server).ClientID).To(Equal("client-2"))
		Expect(far.registering).To(HaveLen(2))
	})

	DescribeTable("ends, without tokens, when the answer is not that of the login",
		func(ctx SpecContext, change func(url.Values), expected error) {
			far, near := newRemote(), newLoginClient()
			server := far.server(`{}`)
			pending := near.begin(ctx, server)
			answer := url.Values{"code": {"a-code-of-the-server"}, "state": {pending.State}, "iss": {far.URL}}
			change(answer)

			_, err := near.Complete(ctx, server, callbackAddress+"?"+answer.Encode())

			Expect(err).To(MatchError(expected))
			Expect(far.asked()).NotTo(ContainElement("/token"))
			Expect(near.Store.Read(server.Key())).To(HaveField("AccessToken", BeEmpty()))
		},
		Entry("another state", func(v url.Values) { v.Set("state", "other") }, oauth.ErrWrongState),
		Entry("another issuer", func(v url.Values) { v.Set("iss", "https://evil.example") }, oauth.ErrWrongIssuer),
		Entry("the issuer with a final slash", func(v url.Values) { v.Set("iss", v.Get("iss")+"/") }, oauth.ErrWrongIssuer),
		Entry("no issuer although the server always sends one", func(v url.Values) { v.Del("iss") }, oauth.ErrWrongIssuer),
		Entry("an error under another issuer, which is not shown", func(v url.Values) {
			v.Set("iss", "https://evil.example")
			v.Set("error", "access_denied")
		}, oauth.ErrWrongIssuer),
	)

	DescribeTable("names both issuers when they differ", Label("A11"),
		func(ctx SpecContext, settings, iss, expected string) {
			far, near := newRemote(), newLoginClient()
			server := far.server(settings)
			pending := near.begin(ctx, server)
			answer := url.Values{"code": {"a-code"}, "state": {pending.State}, "iss": {strings.ReplaceAll(iss, "FAR", far.URL)}}

			_, err := near.Complete(ctx, server, callbackAddress+"?"+answer.Encode())

			if expected == "" {
				Expect(err).NotTo(HaveOccurred())
				return
			}
			Expect(err).To(MatchError("the answer is not from the authorization server at which the login began: " + strings.ReplaceAll(expected, "FAR", far.URL)))
		},
		Entry("by their path", `{}`, "FAR/mcp", `its iss is "FAR/mcp", not "FAR"`),
		Entry("by their slash", `{}`, "FAR/", `its iss is "FAR/", not "FAR"; that form in "oauth.issuer" of the configuration is accepted`),
		Entry("unless the configuration has the slash", `{"issuer":"ISSUER/"}`, "FAR/", ""),
		Entry("by a line break that hides text", `{}`, "FAR\n\u202ex", `its iss is "FAR %E2%80%AEx", not "FAR"`),
		Entry("and one is missing", `{}`, "", `it has no iss, and its metadata promises "FAR"`),
	)

	DescribeTable("names the key that changes what the authorization server refuses", Label("A11"),
		func(ctx SpecContext, code, key string) {
			far, near := newRemote(), newLoginClient()
			server := far.server(`{}`)
			answer := url.Values{"error": {code}, "state": {near.begin(ctx, server).State}, "iss": {far.URL}}

			_, err := near.Complete(ctx, server, callbackAddress+"?"+answer.Encode())

			Expect(err).To(MatchError(HavePrefix(code + ` ("` + key + `" in the configuration sets `)))
		},
		Entry(nil, "invalid_scope", "oauth.scopes"),
		Entry(nil, "invalid_redirect_uri", "oauth.redirectUri"),
	)

	It("names the key where Amazon Cognito puts the code into the description", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		answer := url.Values{"error": {"invalid_request"}, "error_description": {"invalid_scope"}, "state": {near.begin(ctx, server).State}, "iss": {far.URL}}

		_, err := near.Complete(ctx, server, callbackAddress+"?"+answer.Encode())

		Expect(err).To(MatchError(HavePrefix(`invalid_request: invalid_scope ("oauth.scopes"`)))
	})

	It("needs no issuer in the answer of a server that does not send one", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"authorization_response_iss_parameter_supported": false})
		server := far.server(`{}`)
		pending := near.begin(ctx, server)

		Expect(near.Complete(ctx, server, callbackAddress+"?"+url.Values{"code": {"a-code"}, "state": {pending.State}}.Encode())).Error().NotTo(HaveOccurred())
	})

	It("shows the authorization server's address in unambiguous letters", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"authorization_endpoint": far.URL + "/log\u202ein\u009b"})

		pending := near.begin(ctx, far.server(`{}`))

		Expect(pending.URL).To(HavePrefix(far.URL + "/log%E2%80%AEin%C2%9B?"))
	})

	It("sends only its own parameters, even if the address of the page has others", Label("TO05"), func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"authorization_endpoint": far.URL +
			"/authorize?client_id=evil&tenant=a%20b&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F&Redirect_URI=x&st%61te=x&code_challenge_method=plain&code_challenge=x" +
			"&request_uri=x&request=x&response_mode=fragment&resource=x&scope=all&nonce=x&response_type=token&x=1;client_id=evil&prompt=consent#client_id=evil"})

		pending := near.begin(ctx, far.server(`{}`))

		Expect(pending.URL).To(HavePrefix(far.URL + "/authorize?tenant=a%20b&prompt=consent&client_id=client-1&"))
		Expect(query(pending)).To(HaveEach(HaveLen(1)))
		Expect(query(pending)).To(And(HaveKeyWithValue("code_challenge_method", []string{"S256"}), HaveKeyWithValue("redirect_uri", []string{callbackAddress}),
			Not(HaveKey("Redirect_URI")), Not(HaveKey("request_uri")), Not(HaveKey("x"))))
	})

	DescribeTable("refuses an answer with a repeated parameter", Label("TO05"), func(ctx SpecContext, name, value string) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		answer := answerOf(near.begin(ctx, server), "a-code-of-the-server")

		for _, twice := range []string{answer + "&" + name + "=" + value, strings.Replace(answer, "?", "?"+name+"="+value+"&", 1)} {
			_, err := near.Complete(ctx, server, twice)
			Expect(err).To(MatchError("this address is not the answer to a login: it has " + name + " more than once"))
		}

		Expect(far.asked()).NotTo(ContainElement("/token"))
		_, err := near.Complete(ctx, server, answer)
		Expect(err).NotTo(HaveOccurred(), "the login still waits")
	},
		Entry(nil, "state", "forged"), Entry(nil, "code", "forged"), Entry(nil, "iss", "https://evil.example"),
	)

	It("accepts an answer once", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		answer := answerOf(near.begin(ctx, server), "a-code-of-the-server")
		Expect(near.Complete(ctx, server, answer)).Error().NotTo(HaveOccurred())

		_, err := near.Complete(ctx, server, answer)

		Expect(err).To(MatchError(oauth.ErrNotPending))
		Expect(far.forms).To(HaveLen(1))
	})

	It("says that the user refused", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		pending := near.begin(ctx, server)

		_, err := near.Complete(ctx, server, callbackAddress+"?"+url.Values{
			"error": {"access_denied"}, "error_description": {"Not\x1b[31m today"}, "state": {pending.State}, "iss": {far.URL},
		}.Encode())

		Expect(err).To(MatchError(&oauth.ServerError{Code: "access_denied", Description: "Not today"}))
	})

	DescribeTable("reads what token endpoints answer in practice",
		func(ctx SpecContext, status int, body string, hasExpiry bool) {
			far, near := newRemote(), newLoginClient()
			far.tokens = func(url.Values) (int, string) { return status, body }

			record := near.logIn(ctx, far.server(`{}`))

			Expect(record.AccessToken).To(Equal("access-token-1"))
			Expect(record.Expiry.IsZero()).To(Equal(!hasExpiry))
		},
		Entry("201", 201, `{"access_token":"access-token-1","expires_in":60}`, true),
		Entry("expires_in as text", 200, `{"access_token":"access-token-1","expires_in":"60"}`, true),
		Entry("a form", 200, `access_token=access-token-1&expires_in=60`, true),
		Entry("expires_in with a fraction", 200, `{"access_token":"access-token-1","expires_in":59.5}`, true),
		Entry("expires_in 0", 200, `{"access_token":"access-token-1","expires_in":0}`, false),
		Entry("expires_in below 0", 200, `{"access_token":"access-token-1","expires_in":-5}`, false),
		Entry("no expires_in", 200, `{"access_token":"access-token-1"}`, false),
	)

	DescribeTable("says in one line why there are no tokens",
		func(ctx SpecContext, status int, body, expected string) {
			far, near := newRemote(), newLoginClient()
			far.tokens = func(url.Values) (int, string) { return status, body }
			server := far.server(`{}`)

			_, err := near.Complete(ctx, server, answerOf(near.begin(ctx, server), "a-code-of-the-server"))

			Expect(err).To(MatchError("get tokens from the authorization server at " + far.URL + ": " + expected))
		},
		Entry("an error with status 200", 200, `{"error":"bad_verification_code","error_description":"Old."}`, "bad_verification_code: Old."),
		Entry("invalid_grant", 400, `{"error":"invalid_grant"}`, "invalid_grant"),
		Entry("a web page", 200, `<html>access-token-1</html>`, "it answered with something that is not a JSON object (200 OK)"),
		Entry("a page with an error", 502, `<html>`, "it answered with 502 Bad Gateway"),
		Entry("nothing", 200, `{}`, "its answer has nothing of what was asked for"),
		Entry("a token of another type", 200, `{"access_token":"access-token-1","token_type":"DPoP"}`, "it gave a token of an unknown type (DPoP)"),
		Entry("a token with a line break", 200, `{"access_token":"a\nb"}`, "it gave a token that cannot be sent in a header"),
	)

	DescribeTable("shows no part of a secret that the authorization server repeats", Label("A10"),
		func(ctx SpecContext, secret string) {
			far, near := newRemote(), newLoginClient()
			const code = "a-code-of-the-server-that-is-long"
			far.tokens = func(url.Values) (int, string) {
				return 400, `{"error":"invalid_request","error_description":"` + strings.Repeat("x", 280) + " " + secret + `"}`
			}
			server := far.server(`{"clientId":"me","clientSecret":"secret-of-me"}`)

			_, err := near.Complete(ctx, server, answerOf(near.begin(ctx, server), code))

			Expect(err).To(MatchError(ContainSubstring(strings.Repeat("x", 280) + " ***")))
			Expect(err).NotTo(MatchError(ContainSubstring(secret[:8])))
		},
		Entry("a code at the cut", "a-code-of-the-server-that-is-long"),
		Entry("the secret of the client", "secret-of-me"),
		Entry("id and secret of the client, as they were sent", base64.StdEncoding.EncodeToString([]byte("me:secret-of-me"))),
	)

	It("shows no part of a refresh token that the authorization server repeats", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		near.logIn(ctx, server)
		Expect(near.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Expiry, record.RefreshToken = time.Now().Add(-time.Minute), "a-refresh-token-that-is-long"
			return nil
		})).To(Succeed())
		far.tokens = func(url.Values) (int, string) {
			return 400, `{"error":"invalid_request","error_description":"` + strings.Repeat("x", 280) + ` a-refresh-token-that-is-long"}`
		}

		_, err := near.Authorizer(server).Token(ctx)

		Expect(err).To(MatchError(HaveSuffix(" ***")))
	})

	It("forgets a registration that the authorization server forgot", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.tokens = func(url.Values) (int, string) { return 401, `{"error":"invalid_client"}` }
		server := far.server(`{}`)
		_, err := near.Complete(ctx, server, answerOf(near.begin(ctx, server), "a-code-of-the-server"))
		Expect(err).To(HaveOccurred())

		near.begin(ctx, server)

		Expect(far.registering).To(HaveLen(2))
	})

	It("hides secrets as soon as they arrive", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{"clientId":"me","clientSecret":"secret-of-me"}`)
		pending := near.begin(ctx, server)
		Expect(near.Complete(ctx, server, answerOf(pending, "a+code/of/the-server-7="))).Error().NotTo(HaveOccurred())

		for _, secret := range []string{"access-token-1", "refresh-token-1", "a+code/of/the-server-7=", "a%2Bcode%2Fof%2Fthe-server-7%3D", pending.Verifier, "secret-of-me"} {
			Expect(near.secrets.Redact("<" + secret + ">")).To(Equal("<***>"))
		}
	})

	It("discards tokens and client of a previous issuer", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{}`)
		Expect(near.Store.Update(ctx, server.Key(), func(r *logins.Record) error {
			r.Issuer, r.RefreshToken, r.Requested = "https://old.example", "old-refresh-token", []string{"old"}
			r.Registrations = map[string]logins.Registration{"https://old.example": {ClientID: "old-client", RedirectURI: callbackAddress}}
			r.Challenge = &logins.Challenge{Error: "insufficient_scope", Scopes: []string{"write"}}
			return nil
		})).To(Succeed())
		far.tokens = func(url.Values) (int, string) { return 200, `{"access_token":"access-token-1"}` }

		record := near.logIn(ctx, server)

		Expect(far.registering).To(HaveLen(1))
		Expect(far.form().Get("client_id")).To(Equal("client-1"))
		Expect(record.Requested).To(Equal([]string{"write"}))
		Expect(record.RefreshToken).To(BeEmpty())
		Expect(record.Registrations).To(HaveKeyWithValue("https://old.example", HaveField("ClientID", "old-client")))
	})

	It("reports why there is no redirect", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		taken := errors.New("the port is taken")

		_, err := near.Begin(ctx, far.server(`{"callbackPort":4711}`), nil, func(wanted oauth.Redirect) (string, error) {
			Expect(wanted).To(Equal(oauth.Redirect{URI: "http://127.0.0.1:4711/callback", Fixed: true}))
			return "", taken
		})

		Expect(err).To(MatchError(taken))
		Expect(far.registering).To(BeEmpty())
	})
})
