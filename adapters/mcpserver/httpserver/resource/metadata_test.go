package resource_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/resource"
)

var _ = Describe("The metadata of a resource", func() {
	get := func(server *resource.Server, method string) *httptest.ResponseRecorder {
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
			settings := resource.Settings{Issuer: issuerURL, Resource: address, Scopes: []string{"a", "b"}}
			server, err := resource.New(settings, newFakeIssuer().client(), slog.New(slog.DiscardHandler))
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
