package guard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/httpserver/guard"
)

var _ = Describe("A refusal", func() {
	refused := func(body string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		guard.Refuse(answer, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)), http.StatusForbidden, `no "way" in`)
		return answer
	}

	It("is an error of JSON-RPC without an id, which nobody keeps", func() {
		answer := refused("")
		Expect(answer.Code).To(Equal(403))
		Expect(answer.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(answer.Header().Get("Cache-Control")).To(Equal("no-store"))
		Expect(answer.Body.String()).To(MatchJSON(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no \"way\" in"}}`))
	})

	It("ends a connection on which a body may come, and no other", func() {
		Expect(refused("{}").Header().Get("Connection")).To(Equal("close"))
		Expect(refused("").Header()).NotTo(HaveKey("Connection"))
	})
})
