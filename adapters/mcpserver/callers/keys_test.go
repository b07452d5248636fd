package callers_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The keys of an issuer", Label("T08"), func() {
	byOne := func() string { return signedToken(rsaKey(), jose.RS256, "one", claims(nil)) }
	byTwo := func() string { return signedToken(otherKey(), jose.RS256, "two", claims(nil)) }
	first := func() jose.JSONWebKey { return public(rsaKey().Public(), "one", "RS256") }
	two := func() jose.JSONWebKey { return public(otherKey().Public(), "two", "") }
	takes := func(server *callers.Resource, token string) {
		GinkgoHelper()
		Expect(server.Verify(context.Background(), token, "192.0.2.1")).Error().NotTo(HaveOccurred())
	}
	refuses := func(server *callers.Resource, token string) {
		GinkgoHelper()
		_, err := server.Verify(context.Background(), token, "192.0.2.1")
		var refused *callers.RefusedError
		Expect(errors.As(err, &refused)).To(BeTrue(), "%v", err)
	}
	cannotTell := func(server *callers.Resource, token string) {
		GinkgoHelper()
		_, err := server.Verify(context.Background(), token, "192.0.2.1")
		Expect(err).To(HaveOccurred())
		Expect(err).NotTo(BeAssignableToTypeOf(&callers.RefusedError{}))
	}

	It("are fetched once, with the first token", func() {
		issuer := newFakeIssuer(first())
		server := newServer(issuer)
		Expect(issuer.fetches()).To(BeZero())
		for range 5 {
			takes(server, byOne())
		}
		Expect(issuer.fetches()).To(Equal(1))
	})

	DescribeTable("are found through the metadata of the issuer",
		func(place string) {
			issuer := newFakeIssuer(first())
			issuer.places = []string{place}
			takes(newServer(issuer), byOne())
		},
		Entry("OAuth", "https://idp.test/.well-known/oauth-authorization-server/realm"),
		Entry("OpenID before the path", "https://idp.test/.well-known/openid-configuration/realm"),
		Entry("OpenID behind the path", "https://idp.test/realm/.well-known/openid-configuration"),
	)

	DescribeTable("are not accepted from anywhere else",
		func(metadata map[string]any) {
			issuer := newFakeIssuer(first())
			issuer.metadata = metadata
			cannotTell(newServer(issuer), byOne())
			Expect(issuer.fetches()).To(BeZero())
		},
		Entry("metadata of another issuer", map[string]any{"issuer": "https://evil.test", "jwks_uri": "https://keys.test/jwks"}),
		Entry("keys without TLS", map[string]any{"issuer": issuerURL, "jwks_uri": "http://keys.test/jwks"}),
		Entry("keys in a file", map[string]any{"issuer": issuerURL, "jwks_uri": "file:///jwks"}),
		Entry("no keys", map[string]any{"issuer": issuerURL}),
		Entry("keys of a wrong kind", map[string]any{"issuer": issuerURL, "jwks_uri": 5}),
	)

	It("can be of any asymmetric kind; others are left out", func() {
		elliptic := newECKey()
		secret := map[string]any{"kty": "oct", "kid": "one", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0"}
		issuer := newFakeIssuer(map[string]any{"kty": "future"}, secret, public(elliptic.Public(), "ec", "ES256"), two())
		server := newServer(issuer)

		takes(server, signedToken(elliptic, jose.ES256, "ec", claims(nil)))
		takes(server, signedToken(otherKey(), jose.PS256, "two", claims(nil)))
		takes(server, signedToken(otherKey(), jose.RS256, "", claims(nil)))
		refuses(server, signedToken([]byte("secret-secret-secret-secret-1234"), jose.HS256, "one", claims(nil)))
		refuses(server, byOne())
	})

	It("are used only for their own algorithm", func() {
		refuses(newServer(newFakeIssuer(first())), signedToken(rsaKey(), jose.PS256, "one", claims(nil)))
	})

	It("are not accepted for signatures when they are for encryption", func() {
		key := first()
		key.Use = "enc"
		refuses(newServer(newFakeIssuer(key, two())), byOne())
	})

	It("are fetched again for a token with an unknown key, but not for every such token", spec.InBubble(func(*testing.T) {
		issuer := newFakeIssuer(first())
		server := newServer(issuer)
		takes(server, byOne())
		time.Sleep(10 * time.Second)
		issuer.set(func() { issuer.keys = []any{first(), two()} })

		takes(server, byTwo())
		for range 100 {
			refuses(server, signedToken(rsaKey(), jose.RS256, "three", claims(nil)))
		}
		Expect(issuer.fetches()).To(Equal(2))
	}))

	It("are dropped soon after the issuer withdrew them", spec.InBubble(func(*testing.T) {
		issuer := newFakeIssuer(first(), two())
		server := newServer(issuer)
		takes(server, byOne())
		issuer.set(func() { issuer.keys = []any{two()} })
		time.Sleep(11 * time.Minute)

		takes(server, byOne()) // and has them looked at
		synctest.Wait()
		refuses(server, byOne())
		takes(server, byTwo())
	}))

	It("are used while the issuer is unreachable, and unknown ones wait for it", spec.InBubble(func(*testing.T) {
		logged := gbytes.NewBuffer()
		issuer := newFakeIssuer(first())
		settings := callers.ResourceSettings{Issuer: issuerURL, Resource: resourceURL}
		server := spec.Must(callers.NewResource(settings, issuer.client(), slog.New(slog.NewTextHandler(logged, nil))))
		takes(server, byOne())
		issuer.set(func() { issuer.down, issuer.keys = true, []any{first(), two()} })
		time.Sleep(time.Hour)

		takes(server, byOne())
		synctest.Wait()
		cannotTell(server, byTwo())
		cannotTell(server, byTwo())
		Expect(logged).To(gbytes.Say(`level=WARN msg="the keys of the issuer cannot be read`))
		Expect(logged).NotTo(gbytes.Say("cannot be read"), "it is said once")

		issuer.set(func() { issuer.down = false })
		time.Sleep(6 * time.Second)
		takes(server, byTwo())
		Expect(logged).To(gbytes.Say("can be read again"))
	}))

	It("do not hold up a request that has ended", func() {
		issuer := newFakeIssuer(first())
		issuer.mu.Lock()
		defer issuer.mu.Unlock()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()

		_, err := newServer(issuer).Verify(ctx, byOne(), "192.0.2.1")

		Expect(err).To(MatchError(context.Canceled))
	})
})

var _ = Describe("The metadata of a resource", func() {
	get := func(server *callers.Resource, method string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		server.ServeMetadata(answer, httptest.NewRequest(method, "/", nil))
		return answer
	}

	It("names the issuer, and can be read by every page", func() {
		answer := get(newServer(newFakeIssuer(), "mcp:use", "mcp:read"), http.MethodGet)

		Expect(answer.Code).To(Equal(200))
		Expect(answer.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(answer.Header().Get("Access-Control-Allow-Origin")).To(Equal("*"))
		Expect(answer.Body.String()).To(MatchJSON(`{
			"resource": "https://mcp.test/mcp", "authorization_servers": ["https://idp.test/realm"],
			"scopes_supported": ["mcp:use", "mcp:read"], "bearer_methods_supported": ["header"], "resource_name": "MCP Workbench"}`))
	})

	It("is read-only", func() {
		Expect(get(newServer(newFakeIssuer()), http.MethodPost).Code).To(Equal(405))
		Expect(get(newServer(newFakeIssuer()), http.MethodOptions).Code).To(Equal(204))
	})

	DescribeTable("has its place derived from the address of the resource, and the challenge names it",
		func(address, challenge string, paths ...string) {
			settings := callers.ResourceSettings{Issuer: issuerURL, Resource: address, Scopes: []string{"a", "b"}}
			server, err := callers.NewResource(settings, newFakeIssuer().client(), slog.New(slog.DiscardHandler))
			Expect(err).NotTo(HaveOccurred())
			Expect(server.MetadataPaths()).To(Equal(paths))
			Expect(server.Challenge()).To(Equal(`resource_metadata="` + challenge + `", scope="a b"`))
		},
		Entry("with a path", "https://mcp.test/team/mcp", "https://mcp.test/.well-known/oauth-protected-resource/team/mcp",
			"/.well-known/oauth-protected-resource/team/mcp", "/.well-known/oauth-protected-resource"),
		Entry("at the root", "https://mcp.test:8443", "https://mcp.test:8443/.well-known/oauth-protected-resource",
			"/.well-known/oauth-protected-resource"),
		Entry("on this machine", "http://127.0.0.1:7345/mcp", "http://127.0.0.1:7345/.well-known/oauth-protected-resource/mcp",
			"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"),
	)
})
