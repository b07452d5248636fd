package web_test

import (
	"io"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("An unexpected response", func() {
	refusal := func(status int, header http.Header, body string) string {
		GinkgoHelper()
		far := endpoint("https://mcp.example.com/mcp?key=hidden", `{}`)
		if header == nil {
			header = http.Header{}
		}
		refused := far.Refused(&http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))})
		Expect(refused.Status).To(Equal(status))
		Expect(refused.Error()).NotTo(Or(ContainSubstring("hidden"), ContainSubstring("\n")))
		return refused.Error()
	}
	after := func(text string) http.Header { return http.Header{"Retry-After": {text}} }
	page := http.Header{"Content-Type": {"text/html; charset=utf-8"}}

	DescribeTable("is described in one line", func(status int, header http.Header, body, line string) {
		Expect(refusal(status, header, body)).To(Equal("the server at https://mcp.example.com " + line))
	},
		Entry("about authentication", 401, nil, "",
			`requires authentication (401 Unauthorized): add "Authorization" to its "headers" in the configuration, such as "Bearer ${TOKEN}"`),
		Entry("about a forbidden request", 403, nil, "", "forbids the request (403 Forbidden)"),
		Entry("about a path without MCP", 404, page, "<html>", `has no MCP at this path (404 Not Found); is the "url" right?`),
		Entry("about a method that is not allowed", 405, nil, "", `has no MCP at this path (405 Method Not Allowed); is the "url" right?`),
		Entry("about too many requests, with seconds to wait", 429, after("90"), "", "got too many requests (429 Too Many Requests); it asks to wait for 1m30s"),
		Entry("about too many requests, with a date to wait until", 429, after("Wed, 21 Oct 2026 07:28:00 GMT"), "",
			"got too many requests (429 Too Many Requests); it asks to wait until Wed, 21 Oct 2026 07:28:00 UTC"),
		Entry("about too many requests, with an invalid time", 429, after("later"), "", "got too many requests (429 Too Many Requests)"),
		Entry("about a failure", 500, nil, "", "failed (500 Internal Server Error)"),
		Entry("about a failure, with a page", 502, page, "<html>Bad gateway</html>", "failed (502 Bad Gateway)"),
		Entry("about a pause", 503, after("5"), "", "failed (503 Service Unavailable); it asks to wait for 5s"),
		Entry("about an unknown status", 499, nil, "", "refuses the request (499)"),
		Entry("about a page", 200, page, "<html>", `answered with a web page instead of MCP; is the "url" right?`),
		Entry("about another type", 200, http.Header{"Content-Type": {"image/png"}}, "PNG", `did not answer with MCP (200 OK, content type "image/png")`),
	)

	DescribeTable("ends in the server's own words", func(body, words string) {
		Expect(refusal(403, nil, body)).To(Equal("the server at https://mcp.example.com forbids the request (403 Forbidden)" + words))
	},
		Entry("behind a byte order mark", "\ufeff"+`{"message":"no"}`, ": no"),
		Entry("of JSON-RPC", `{"jsonrpc":"2.0","error":{"code":-1,"message":"not\nyou"}}`, ": not you"),
		Entry("of OAuth", `{"error":"invalid_token","error_description":"it is too old"}`, ": it is too old"),
		Entry("of OAuth without a description", `{"error":"invalid_token"}`, ": invalid_token"),
		Entry("of frameworks", `{"message":"no"}`, ": no"),
		Entry("of other frameworks", `{"detail":"no"}`, ": no"),
		Entry("of a short text", " go  away\r\n", ": go away"),
		Entry("without terminal escape sequences", "\x1b[31mred", ": red"),
		Entry("unless it is a page", "<html>no</html>", ""),
		Entry("unless it is long", strings.Repeat("no ", 200), ""),
		Entry("without a part of a secret, where they are cut", `{"message":"`+strings.Repeat("x", 290)+` a-secret-that-is-long"}`, ": "+strings.Repeat("x", 290)+" ***"),
		Entry("cut, when only the message is long", `{"message":"`+strings.Repeat("é", 200)+`"}`, ": "+strings.Repeat("é", 150)+"…"),
	)
})
