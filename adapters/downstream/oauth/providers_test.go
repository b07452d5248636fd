package oauth_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

// newEntra returns a server whose authorization server is a tenant of one like Microsoft Entra ID, by its documentation
// (learn.microsoft.com/entra/identity-platform, "OpenID Connect" and "authorization code flow").
func newEntra(tenant, issuer string) *remote {
	far := newRemote()
	far.documents["/.well-known/oauth-protected-resource/mcp"] = map[string]any{
		"resource": far.URL + "/mcp", "authorization_servers": []string{far.URL + "/" + tenant + "/v2.0"}, "scopes_supported": []string{"api://app/.default"},
	}
	delete(far.documents, "/.well-known/oauth-authorization-server")
	far.documents["/"+tenant+"/v2.0/.well-known/openid-configuration"] = map[string]any{
		"issuer": far.URL + "/" + issuer + "/v2.0", "authorization_endpoint": far.URL + "/" + tenant + "/oauth2/v2.0/authorize", "token_endpoint": far.URL + "/token",
		"token_endpoint_auth_methods_supported": []string{"client_secret_post", "private_key_jwt", "client_secret_basic"},
		"scopes_supported":                      []string{"openid", "profile", "email", "offline_access"},
	}
	return far
}

var _ = Describe("A login at Microsoft Entra ID", func() {
	const client = `{"clientId":"app"}`

	It("is made by a client without a secret, and without a resource, which its scopes name", func(ctx SpecContext) {
		far, near := newEntra("a-tenant", "a-tenant"), newLoginClient()
		pending := near.begin(ctx, far.server(client))

		spec.Must(near.Complete(ctx, far.server(client), answerOf(pending, "a-code")))

		Expect(query(pending)).To(And(Not(HaveKey("resource")), HaveKeyWithValue("scope", []string{"api://app/.default offline_access"})))
		Expect(far.form()).To(And(Not(HaveKey("resource")), Not(HaveKey("client_secret")), HaveKeyWithValue("client_id", []string{"app"})))
		Expect(far.basics).To(Equal([]string{":"}))
	})

	It("has the resource that the configuration names", func(ctx SpecContext) {
		far, near := newEntra("a-tenant", "a-tenant"), newLoginClient()

		Expect(query(near.begin(ctx, far.server(`{"clientId":"app","resource":"api://app"}`)))).To(HaveKeyWithValue("resource", []string{"api://app"}))
	})

	DescribeTable("is made where the metadata is that of all tenants", func(ctx SpecContext, settings, iss string) {
		far, near := newEntra("organizations", "{tenantid}"), newLoginClient()
		server := far.server(settings)
		answer := url.Values{"code": {"a-code"}, "state": {near.begin(ctx, server).State}}
		if iss != "" {
			answer.Set("iss", far.URL+iss)
		}

		record := spec.Must(near.Complete(ctx, server, callbackAddress+"?"+answer.Encode()))

		Expect(record.Issuer).To(Equal(far.URL + "/organizations/v2.0"))
		Expect(near.Authorizer(server).Token(ctx)).To(Equal("access-token-1"))
	},
		Entry("and the server names it", client, ""),
		Entry("and the configuration names it", `{"clientId":"app","issuer":"ISSUER/organizations/v2.0"}`, ""),
		Entry("and the answer is from one of them", client, "/a-tenant/v2.0"),
	)

	DescribeTable("is refused where the metadata is that of other issuers", func(ctx SpecContext, issuer string) {
		far, near := newEntra("organizations", ""), newLoginClient()
		metadata := far.documents["/organizations/v2.0/.well-known/openid-configuration"].(map[string]any)
		metadata["issuer"] = strings.ReplaceAll(issuer, "FAR", far.URL)

		_, err := near.Begin(ctx, far.server(client), nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(ContainSubstring("names the issuer")))
	},
		Entry("at another host", "https://evil.example/{tenantid}/v2.0"),
		Entry("at any host", "{tenantid}/organizations/v2.0"),
		Entry("of another version", "FAR/{tenantid}/v1.0"),
		Entry("below it", "FAR/a/{tenantid}/v2.0"),
		Entry("of any path", "FAR/{tenantid}"),
	)

	It("accepts no answer of another host", func(ctx SpecContext) {
		far, near := newEntra("organizations", "{tenantid}"), newLoginClient()
		server := far.server(client)
		answer := url.Values{"code": {"a-code"}, "state": {near.begin(ctx, server).State}, "iss": {"https://evil.example/a/v2.0"}}

		_, err := near.Complete(ctx, server, callbackAddress+"?"+answer.Encode())

		Expect(err).To(MatchError(oauth.ErrWrongIssuer))
	})

	DescribeTable("is refreshed with scopes that it accepts", func(ctx SpecContext, scopes, granted, expected string) {
		far, near := newEntra("a-tenant", "a-tenant"), newLoginClient()
		server := far.server(`{"clientId":"app","scopes":` + scopes + `}`)
		far.tokens = func(url.Values) (int, string) {
			return 200, `{"access_token":"access-token-1","refresh_token":"refresh-token-1","expires_in":3600,"scope":"` + granted + `"}`
		}
		near.logIn(ctx, server)

		Expect(near.Authorizer(server).Refused(ctx, refusal(401, "Bearer"), "access-token-1", 0)).To(BeTrue())

		Expect(far.form().Get("scope")).To(Equal(expected))
	},
		Entry("where it grants what .default stands for", `["api://app/.default"]`, "api://app/mcp.read api://app/.default", "api://app/.default offline_access"),
		Entry("where it names them without the resource", `["api://app/mcp.read"]`, "mcp.read", "api://app/mcp.read offline_access"),
		Entry("where it does not name offline_access", `["api://app/a","api://app/b"]`, "api://app/a", "api://app/a offline_access"),
	)
})

var _ = DescribeTable("A refresh goes without what the authorization server refuses, and keeps the login",
	func(ctx SpecContext, parameter, code, words string, refreshes int) {
		far, near := newRemote(), newLoginClient()
		server := far.server(`{"clientId":"app"}`)
		near.logIn(ctx, server)
		far.tokens = func(form url.Values) (int, string) {
			if form.Has(parameter) {
				return 400, string(spec.Must(json.Marshal(map[string]string{"error": code, "error_description": words})))
			}
			return 200, `{"access_token":"access-token-2","refresh_token":"refresh-token-2"}`
		}
		requests := near.Authorizer(server)

		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "access-token-1", 0)).To(BeTrue())
		Expect(requests.Token(ctx)).To(Equal("access-token-2"))
		Expect(near.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Expiry = time.Now().Add(-time.Second)
			return nil
		})).To(Succeed())
		Expect(requests.Token(ctx)).To(Equal("access-token-2"))

		Expect(far.forms).To(HaveLen(1 + refreshes))
	},
	Entry("a resource, from then on", "resource", "invalid_target", "", 3),
	Entry("a resource, in the words of Microsoft Entra ID", "resource", "invalid_request", "AADSTS9010010: it does not match the scopes", 3),
	Entry("scopes", "scope", "invalid_scope", "", 4),
)

var _ = Describe("A login at Amazon Cognito", func() {
	It("is made at the domain of the user pool by a client without a secret", func(ctx SpecContext) {
		far, hosted, near := newRemote(), newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-protected-resource/mcp"] = map[string]any{"resource": far.URL + "/mcp", "authorization_servers": []string{far.URL + "/pool"}}
		far.documents["/pool/.well-known/openid-configuration"] = map[string]any{
			"issuer": far.URL + "/pool", "authorization_endpoint": hosted.URL + "/oauth2/authorize", "token_endpoint": hosted.URL + "/token",
			"token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"}, "scopes_supported": []string{"openid", "email"},
		}
		server := far.server(`{"clientId":"app","issuer":"ISSUER/pool"}`)

		near.logIn(ctx, server)

		Expect(hosted.form()).To(HaveKeyWithValue("client_id", []string{"app"}))
		Expect(hosted.basics).To(Equal([]string{":"}))
	})
})
