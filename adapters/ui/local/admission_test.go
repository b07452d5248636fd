package local

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestLocal(t *testing.T) { spec.Run(t, "The page for one user") }

var _ = Describe("The page for one user", func() {
	const address = "127.0.0.1:7346"
	var handler http.Handler
	var token string
	BeforeEach(func() {
		var err error
		pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		handler, token, err = protected(pages, address, slog.New(slog.DiscardHandler))
		Expect(err).NotTo(HaveOccurred())
	})
	// ask sends a request with names and values of headers in turn.
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(method, "http://"+address+path, nil)
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		if host := request.Header.Get("Host"); host != "" {
			request.Host = host
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer
	}
	// enter uses the token and returns the cookie.
	enter := func() string {
		GinkgoHelper()
		answer := ask(http.MethodGet, "/ui/?token="+token)
		Expect(answer.Code).To(Equal(http.StatusOK))
		Expect(answer.Body.String()).To(ContainSubstring(`content="0;url=/ui/"`))
		cookies := answer.Result().Cookies()
		Expect(cookies).To(HaveLen(1))
		Expect(cookies[0].HttpOnly).To(BeTrue())
		Expect(cookies[0].SameSite).To(Equal(http.SameSiteStrictMode))
		Expect(cookies[0].Path).To(Equal("/ui/"))
		return cookies[0].Name + "=" + cookies[0].Value
	}

	It("is shown to the browser that sent the token, by its cookie", func() {
		cookie := enter()

		Expect(ask(http.MethodGet, "/ui/", "Cookie", cookie).Code).To(Equal(http.StatusTeapot))
		Expect(ask(http.MethodGet, "/ui/calls", "Cookie", cookie).Code).To(Equal(http.StatusTeapot))
		Expect(ask(http.MethodGet, "/ui/?token="+token, "Cookie", cookie).Code).To(Equal(http.StatusOK), "the address still leads to the page")
	})

	It("accepts the token once", func() {
		enter()

		again := ask(http.MethodGet, "/ui/?token="+token)
		Expect(again.Code).To(Equal(http.StatusForbidden))
		Expect(again.Body.String()).To(ContainSubstring("was opened before"))
		Expect(again.Result().Cookies()).To(BeEmpty())
	})

	It("accepts the token for five minutes", func() {
		gate, old := newAdmission("1", time.Now().Add(-tokenTime))
		answer := httptest.NewRecorder()

		gate.protect(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/ui/?token="+old, nil))

		Expect(answer.Code).To(Equal(http.StatusForbidden))
		Expect(answer.Body.String()).To(ContainSubstring("too old"))
	})

	DescribeTable("refuses all other requests", func(method, path string, headers ...string) {
		answer := ask(method, path, headers...)

		Expect(answer.Code).To(Equal(http.StatusForbidden))
		Expect(answer.Result().Cookies()).To(BeEmpty())
		Expect(answer.Header().Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'"))
		enter() // the token is still valid
	},
		Entry("no token and no cookie", http.MethodGet, "/ui/"),
		Entry("events", http.MethodGet, "/ui/events?path=/ui/"),
		Entry("a wrong token", http.MethodGet, "/ui/?token=AAAA"),
		Entry("an empty token", http.MethodGet, "/ui/?token="),
		Entry("a wrong cookie", http.MethodGet, "/ui/", "Cookie", "mcp-workbench-ui-7346=AAAA"),
		Entry("an empty cookie", http.MethodGet, "/ui/", "Cookie", "mcp-workbench-ui-7346="),
		Entry("a name that resolves to this machine", http.MethodGet, "/ui/", "Host", "evil.example:7346"),
		Entry("a page of another origin", http.MethodGet, "/ui/", "Origin", "https://evil.example"),
	)

	DescribeTable("keeps the token for the user", func(method string, headers ...string) {
		Expect(ask(method, "/ui/?token="+token, headers...).Result().Cookies()).To(BeEmpty())
		enter()
	},
		Entry("from a HEAD request", http.MethodHead),
		Entry("from a prefetching browser", http.MethodGet, "Sec-Purpose", "prefetch"),
		Entry("from an image of another site", http.MethodGet, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"),
		Entry("from a rebound name", http.MethodGet, "Host", "evil.example"),
	)

	It("answers only GET and HEAD", func() {
		cookie := enter()
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
			Expect(ask(method, "/ui/", "Cookie", cookie).Code).To(Equal(http.StatusMethodNotAllowed))
		}
	})
})
