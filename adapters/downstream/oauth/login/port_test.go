package login

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// page is an answer that a browser got.
type page struct {
	status int
	header http.Header
	text   string
}

func browse(method, address, host string) page {
	GinkgoHelper()
	request := spec.Must(http.NewRequest(method, address, nil))
	request.Host, request.Close = host, true
	response := spec.Must(http.DefaultTransport.RoundTrip(request))
	defer response.Body.Close() //nolint:errcheck // its body was read to the end
	text := spec.Must(io.ReadAll(response.Body))
	return page{response.StatusCode, response.Header, string(text)}
}

var _ = Describe("A callback port", func() {
	// awaited is a port that waits for the state "right".
	type awaited struct {
		uri     string
		came    []string
		ignored []error
		end     chan error
		cancel  context.CancelFunc
	}
	wait := func(redirectURI string, outcome error) *awaited {
		GinkgoHelper()
		listener, err := listen(redirectURI)
		Expect(err).NotTo(HaveOccurred())
		ctx, cancel := context.WithCancel(context.Background())
		a := &awaited{uri: listener.uri(), end: make(chan error, 1), cancel: cancel}
		go func() {
			a.end <- listener.await(ctx, expected{
				name: "dev/<team>", state: "right", ignored: func(err error) { a.ignored = append(a.ignored, err) },
				complete: func(_ context.Context, address string) error {
					a.came = append(a.came, address)
					return outcome
				},
			})
		}()
		DeferCleanup(cancel)
		return a
	}

	It("is any port of 127.0.0.1 unless another one is requested", func() {
		a := wait("", nil)
		Expect(a.uri).To(MatchRegexp(`^http://127\.0\.0\.1:\d+/callback$`))
		a.cancel()
		Expect(<-a.end).To(MatchError(context.Canceled))
	})

	It("accepts one answer with the right state, and closes", func() {
		a := wait("", nil)

		got := browse(http.MethodGet, a.uri+"?code=a%20code&state=right&iss=x", "")

		Expect(<-a.end).To(Succeed())
		Expect(a.came).To(Equal([]string{a.uri + "?code=a%20code&state=right&iss=x"}))
		Expect(got.status).To(Equal(http.StatusOK))
		Expect(got.text).To(ContainSubstring("You are logged in to dev/&lt;team&gt;. You can close this page."))
		Expect(a.ignored).To(BeEmpty())
		_, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(a.uri, "http://"), "/callback"))
		Expect(err).To(HaveOccurred())
	})

	It("closes the connection that has waited for longest when there are too many", func() {
		port := spec.Must(listen(""))
		DeferCleanup(port.close)
		listener := &newest{Listener: port.listeners[0]}
		var accepted []net.Conn
		for range maxConnections + 1 {
			DeferCleanup(spec.Must(net.Dial("tcp", listener.Addr().String())).Close)
			connection := spec.Must(listener.Accept())
			DeferCleanup(func() { _ = connection.Close() }) // the first one was closed
			accepted = append(accepted, connection)
		}

		Expect(accepted[0].SetDeadline(time.Time{})).To(MatchError(net.ErrClosed))
		Expect(accepted[1].SetDeadline(time.Time{})).To(Succeed())
	})

	It("shows no code, loads nothing, and sends no referrer", func() {
		a := wait("", nil)
		got := browse(http.MethodGet, a.uri+"?code=the-code&state=right", "")
		Expect(got.text).NotTo(Or(ContainSubstring("the-code"), ContainSubstring("right"), ContainSubstring("src"), ContainSubstring("href")))
		Expect(got.header.Get("Referrer-Policy")).To(Equal("no-referrer"))
		Expect(got.header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(got.header.Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'"))
		Expect(<-a.end).To(Succeed())
	})

	It("says on the page why the login failed", func() {
		failure := errors.New("access_denied")
		a := wait("", failure)
		got := browse(http.MethodGet, a.uri+"?error=access_denied&state=right", "")
		Expect(<-a.end).To(BeIdenticalTo(failure))
		Expect(got.status).To(Equal(http.StatusBadRequest))
		Expect(got.text).To(ContainSubstring("The login to dev/&lt;team&gt; failed: access_denied."))
	})

	DescribeTable("accepts nothing else",
		func(method, after, host string, status int) {
			a := wait("", nil)
			Expect(browse(method, strings.TrimSuffix(a.uri, "/callback")+after, host).status).To(Equal(status))
			Expect(a.came).To(BeEmpty())
			Expect(browse(http.MethodGet, a.uri+"?code=c&state=right", "").status).To(Equal(http.StatusOK))
			Expect(<-a.end).To(Succeed())
		},
		Entry("another path", http.MethodGet, "/favicon.ico?state=right", "", http.StatusNotFound),
		Entry("a path below", http.MethodGet, "/callback/?state=right", "", http.StatusNotFound),
		Entry("a POST", http.MethodPost, "/callback?state=right", "", http.StatusMethodNotAllowed),
		Entry("a HEAD", http.MethodHead, "/callback?state=right", "", http.StatusMethodNotAllowed),
		Entry("another name for this machine", http.MethodGet, "/callback?state=right", "evil.example", http.StatusForbidden),
		Entry("another state", http.MethodGet, "/callback?code=c&state=wrong", "", http.StatusBadRequest),
		Entry("no state", http.MethodGet, "/callback?code=c", "", http.StatusBadRequest),
		Entry("two states", http.MethodGet, "/callback?code=c&state=wrong&state=right", "", http.StatusBadRequest),
	)

	It("reports an answer with another state", func() {
		a := wait("", nil)
		browse(http.MethodGet, a.uri+"?code=c&state=wrong", "")
		browse(http.MethodGet, a.uri+"?code=c&state=right", "")
		Expect(<-a.end).To(Succeed())
		Expect(a.ignored).To(Equal([]error{errForeignState}))
	})

	It("keeps path and query of a registered redirect", func() {
		free := spec.Must(listen(""))
		free.close()
		known := spec.Must(url.Parse(free.uri()))
		a := wait("http://localhost:"+known.Port()+"/oauth/back?app=1", nil)
		Expect(a.uri).To(Equal("http://localhost:" + known.Port() + "/oauth/back?app=1"))
		browse(http.MethodGet, "http://127.0.0.1:"+known.Port()+"/oauth/back?app=1&code=c&state=right", "")
		Expect(<-a.end).To(Succeed())
		Expect(a.came).To(Equal([]string{"http://localhost:" + known.Port() + "/oauth/back?app=1&code=c&state=right"}))
	})

	It("names a port that is in use", func() {
		first := spec.Must(listen(""))
		defer first.close()

		_, err := listen(first.uri())

		var taken *portError
		Expect(errors.As(err, &taken)).To(BeTrue())
		Expect(err).To(MatchError(MatchRegexp(`^cannot listen on 127\.0\.0\.1:\d+ for the browser's answer: \S`)))
	})

	DescribeTable("is not opened for a redirect to", func(redirectURI string) {
		_, err := listen(redirectURI)
		Expect(err).To(MatchError(errElsewhere))
	},
		Entry("another machine", "http://team.example:8080/callback"),
		Entry("an address of the Internet", "https://team.example/callback"),
		Entry("an app", "workbench:/callback"),
	)
})
