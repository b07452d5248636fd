package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
)

var _ = Describe("An address of a server", func() {
	It("shows its origin only", func() {
		Expect(endpoint("https://me:secret@mcp.example.com:8443/a/b?key=hidden#x", `{}`).Origin()).To(Equal("https://mcp.example.com:8443"))
	})

	It("sends the configured headers, the host among them, and its own name", func() {
		got := make(chan *http.Request, 1)
		far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r }))
		DeferCleanup(far.Close)
		address := endpoint(far.URL, `{"host":"mcp.example.com","x-team":" red "}`)

		response, err := address.Do(context.Background(), http.MethodGet, address.Header(), nil)

		Expect(err).NotTo(HaveOccurred())
		web.Drain(response)
		request := <-got
		Expect(request.Host).To(Equal("mcp.example.com"))
		Expect(request.Header.Get("X-Team")).To(Equal("red"))
		Expect(request.UserAgent()).To(Equal("workbench/test"))
		Expect(request.Header).NotTo(HaveKey("Accept-Encoding"))
	})

	DescribeTable("leads to others of the same origin", func(reference, path string) {
		got := make(chan string, 1)
		far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.String() }))
		DeferCleanup(far.Close)

		resolved, err := endpoint(far.URL+"/a/sse", `{}`).Resolve(reference)
		Expect(err).NotTo(HaveOccurred())
		response, err := resolved.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))
		Expect(err).NotTo(HaveOccurred())
		web.Drain(response)

		Expect(<-got).To(Equal(path))
	},
		Entry("by a path", "/messages?session=1", "/messages?session=1"),
		Entry("by a path from there", "messages", "/a/messages"),
		Entry("by a query", "?session=1", "/a/sse?session=1"),
	)

	DescribeTable("leads to nobody else", func(reference string) {
		_, err := endpoint("https://mcp.example.com/sse", `{}`).Resolve(reference)

		Expect(err).To(HaveOccurred())
		Expect(err.Error()).NotTo(ContainSubstring("key"))
	},
		Entry("on another host", "https://evil.example.com/?key"),
		Entry("on another port", "https://mcp.example.com:8443/?key"),
		Entry("without TLS", "http://mcp.example.com/?key"),
		Entry("by a name of its own", "//evil.example.com/?key"),
		Entry("by no address", "http://%zz/?key"),
	)

	DescribeTable("that redirects", func(status int, path string, isFollowed bool) {
		heard := make(chan string, 20)
		far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // what is missing shows
			heard <- r.Method + " " + r.URL.Path + " " + string(body)
			if r.URL.Path != "/there" {
				http.Redirect(w, r, path, status)
			}
		}))
		DeferCleanup(far.Close)

		response, err := endpoint(far.URL+"/here", `{}`).Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))

		Expect(<-heard).To(Equal("POST /here {}"))
		if isFollowed {
			Expect(err).NotTo(HaveOccurred())
			web.Drain(response)
			Expect(<-heard).To(Equal("POST /there {}"))
			return
		}
		Expect(err).To(MatchError(ContainSubstring("redirects")))
	},
		Entry("with the message is followed", 307, "/there", true),
		Entry("with the message for good is followed", 308, "/there", true),
		Entry("without the message is not", 303, "/there", false),
		Entry("in a circle is not for ever", 307, "/here", false),
	)
})
