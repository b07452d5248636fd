package guard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/guard"
)

var _ = Describe("A refusal", func() {
	refused := func(body string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		guard.Refuse(answer, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)), http.StatusForbidden, `no "way" in`)
		return answer
	}

	It("is a JSON-RPC error without an id, which must not be cached", func() {
		answer := refused("")
		Expect(answer.Code).To(Equal(403))
		Expect(answer.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(answer.Header().Get("Cache-Control")).To(Equal("no-store"))
		Expect(answer.Body.String()).To(MatchJSON(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no \"way\" in"}}`))
	})

	It("closes a connection only if a body can follow", func() {
		Expect(refused("{}").Header().Get("Connection")).To(Equal("close"))
		Expect(refused("").Header()).NotTo(HaveKey("Connection"))
	})
})
