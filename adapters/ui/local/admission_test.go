package local

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
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
	var root, entrance string // the path above the pages, and the path that is admitted
	var admitted int
	BeforeEach(func() {
		var err error
		pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		admitted = 0
		handler, entrance, err = protectedPages(pages, address, func() { admitted++ }, slog.New(slog.DiscardHandler))
		Expect(err).NotTo(HaveOccurred())
		var found bool
		root, _, found = strings.Cut(entrance, "/ui/?token=")
		Expect(found).To(BeTrue())
		Expect(root).To(MatchRegexp(`^/[A-Z2-7]{26}$`))
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
		answer := ask(http.MethodGet, entrance)
		Expect(answer.Code).To(Equal(http.StatusOK))
		Expect(answer.Body.String()).To(ContainSubstring(`content="0;url=./"`))
		cookies := answer.Result().Cookies()
		Expect(cookies).To(HaveLen(1))
		Expect(cookies[0].HttpOnly).To(BeTrue())
		Expect(cookies[0].SameSite).To(Equal(http.SameSiteStrictMode))
		Expect(cookies[0].Path).To(Equal(root + "/ui/"))
		return cookies[0].Name + "=" + cookies[0].Value
	}

	It("is shown to the browser that sent the token, by its cookie", func() {
		cookie := enter()

		Expect(ask(http.MethodGet, root+"/ui/", "Cookie", cookie).Code).To(Equal(http.StatusTeapot))
		Expect(ask(http.MethodGet, root+"/ui/calls", "Cookie", cookie).Code).To(Equal(http.StatusTeapot))
		Expect(ask(http.MethodGet, entrance, "Cookie", cookie).Code).To(Equal(http.StatusOK), "the address still leads to the page")
	})

	It("is below a path that no server of another user can guess, and so is its cookie", Label("TG02"), func() {
		cookie := enter()
		for _, path := range []string{"/ui/", "/", "/ui/calls", "/AAAAAAAAAAAAAAAAAAAAAAAAAA/ui/", root, root + "AA/ui/"} {
			answer := ask(http.MethodGet, path, "Cookie", cookie)
			Expect(answer.Code).To(Equal(http.StatusForbidden), path)
			Expect(answer.Result().Cookies()).To(BeEmpty())
		}
		Expect(admitted).To(Equal(1))
	})

	It("accepts the token once", func() {
		enter()

		again := ask(http.MethodGet, entrance)
		Expect(again.Code).To(Equal(http.StatusForbidden))
		Expect(again.Body.String()).To(ContainSubstring("was opened before"))
		Expect(again.Result().Cookies()).To(BeEmpty())
	})

	It("accepts the token for five minutes", func() {
		gate, old := newAdmission(time.Now().Add(-tokenTime), func() {})
		answer := httptest.NewRecorder()

		gate.protect(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, old, nil))

		Expect(answer.Code).To(Equal(http.StatusForbidden))
		Expect(answer.Body.String()).To(ContainSubstring("too old"))
	})

	DescribeTable("refuses all other requests", func(method, path string, headers ...string) {
		answer := ask(method, root+path, headers...)

		Expect(answer.Code).To(Equal(http.StatusForbidden))
		Expect(answer.Result().Cookies()).To(BeEmpty())
		Expect(answer.Header().Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'"))
		enter() // the token is still valid
	},
		Entry("no token and no cookie", http.MethodGet, "/ui/"),
		Entry("events", http.MethodGet, "/ui/events?path=/ui/"),
		Entry("a wrong token", http.MethodGet, "/ui/?token=AAAA"),
		Entry("an empty token", http.MethodGet, "/ui/?token="),
		Entry("a wrong cookie", http.MethodGet, "/ui/", "Cookie", "mcp-workbench-ui=AAAA"),
		Entry("an empty cookie", http.MethodGet, "/ui/", "Cookie", "mcp-workbench-ui="),
		Entry("a name that resolves to this machine", http.MethodGet, "/ui/", "Host", "evil.example:7346"),
		Entry("a page of another origin", http.MethodGet, "/ui/", "Origin", "https://evil.example"),
	)

	DescribeTable("keeps the token for the user", func(method string, headers ...string) {
		Expect(ask(method, entrance, headers...).Result().Cookies()).To(BeEmpty())
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
			Expect(ask(method, root+"/ui/", "Cookie", cookie).Code).To(Equal(http.StatusMethodNotAllowed))
		}
	})
})
