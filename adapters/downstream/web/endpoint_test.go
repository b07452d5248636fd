package web_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
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

		response := spec.Must(address.Do(context.Background(), http.MethodGet, address.Header(), nil))
		Expect(response.Body.Close()).To(Succeed())
		request := <-got
		Expect(request.Host).To(Equal("mcp.example.com"))
		Expect(request.Header.Get("X-Team")).To(Equal("red"))
		Expect(request.UserAgent()).To(Equal("workbench/test"))
		Expect(request.Header.Get("Accept-Encoding")).To(Equal("identity"))
	})

	DescribeTable("is sent in a request that any server can read", Label("H01"), func(written, target string) {
		heard := make(chan string, 1)
		listener := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
		DeferCleanup(listener.Close)
		go func() {
			connection, err := listener.Accept()
			if err != nil {
				return // the spec is over
			}
			defer func() { _ = connection.Close() }()
			line, _ := bufio.NewReader(connection).ReadString('\n') // what is missing shows
			heard <- strings.TrimSpace(line)
			_, _ = io.WriteString(connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		}()
		address := endpoint("http://"+listener.Addr().String()+written, `{}`)

		response := spec.Must(address.Do(context.Background(), http.MethodGet, http.Header{}, nil))
		Expect(response.Body.Close()).To(Succeed())
		Expect(heard).To(Receive(Equal("GET " + target + " HTTP/1.1")))
	},
		Entry("with a space in its path", "/my mcp", "/my%20mcp"),
		Entry("with a space in its query", "/mcp?team=my team", "/mcp?team=my%20team"),
		Entry("with letters outside of ASCII in its path", "/é", "/%C3%A9"),
		Entry("with letters outside of ASCII in its query", "/mcp?q=é日", "/mcp?q=%C3%A9%E6%97%A5"),
		Entry("with characters that are not valid in URLs", "/mcp?q=<a|b>{`^}", "/mcp?q=%3Ca%7Cb%3E%7B%60%5E%7D"),
		Entry("without surrounding white space", "/mcp \t", "/mcp"),
		Entry("with what is encoded already, as it is", "/a%2Fb%20?q=%C3%A9+%26", "/a%2Fb%20?q=%C3%A9+%26"),
		Entry("without its fragment", "/mcp#é", "/mcp"),
	)

	DescribeTable("has one origin, however it is written", Label("H01"), func(written, origin string) {
		Expect(endpoint(written, `{}`).Origin()).To(Equal(origin))
	},
		Entry("in another case", "HTTP://LocalHost/MCP", "http://localhost"),
		Entry("with the port that https implies", "https://mcp.example.com:443/mcp", "https://mcp.example.com"),
		Entry("with the port that http implies", "http://mcp.example.com:80/mcp", "http://mcp.example.com"),
		Entry("with an empty port", "http://mcp.example.com:/mcp", "http://mcp.example.com"),
		Entry("with another scheme's port", "http://mcp.example.com:443/mcp", "http://mcp.example.com:443"),
		Entry("in letters outside of ASCII", "https://BÜCHER.example/mcp", "https://xn--bcher-kva.example"),
		Entry("in the same letters encoded", "https://b%C3%BCcher.example/mcp", "https://xn--bcher-kva.example"),
		Entry("as a number of version 6", "http://[FE80::1%25Eth0]:80/mcp", "http://[fe80::1%Eth0]"),
	)

	It("keeps its password, with any characters", func() {
		got := make(chan string, 1)
		far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			name, password, _ := r.BasicAuth()
			got <- name + " and " + password
		}))
		DeferCleanup(far.Close)

		response := spec.Must(endpoint(strings.Replace(far.URL, "//", "//jörg:p w%2F@", 1), `{}`).Do(context.Background(), http.MethodGet, http.Header{}, nil))
		Expect(response.Body.Close()).To(Succeed())
		Expect(got).To(Receive(Equal("jörg and p w/")))
	})

	DescribeTable("resolves references to the same origin", func(reference, path string) {
		got := make(chan string, 1)
		far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.String() }))
		DeferCleanup(far.Close)

		resolved := spec.Must(endpoint(far.URL+"/a/sse", `{}`).Resolve(reference))
		response := spec.Must(resolved.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}")))
		Expect(response.Body.Close()).To(Succeed())

		Expect(<-got).To(Equal(path))
	},
		Entry("by a path", "/messages?session=1", "/messages?session=1"),
		Entry("by a path from there", "messages", "/a/messages"),
		Entry("by a query", "?session=1", "/a/sse?session=1"),
		Entry("by characters that have to be encoded", "/messages?session=é 1", "/messages?session=%C3%A9%201"),
	)

	DescribeTable("resolves references to its own origin in another spelling", Label("H01"), func(written, reference string) {
		Expect(spec.Must(endpoint(written, `{}`).Resolve(reference)).Origin()).To(Equal(endpoint(written, `{}`).Origin()))
	},
		Entry("in another case", "http://localhost/sse", "http://LocalHost/messages"),
		Entry("with the port that the scheme implies", "https://mcp.example.com/sse", "https://mcp.example.com:443/messages"),
		Entry("without it", "https://mcp.example.com:443/sse", "https://mcp.example.com/messages"),
		Entry("in other letters", "https://bücher.example/sse", "https://xn--bcher-kva.example/messages"),
	)

	DescribeTable("resolves no reference to another origin", func(reference string) {
		_, err := endpoint("https://mcp.example.com/sse", `{}`).Resolve(reference)

		Expect(err).To(HaveOccurred())
		Expect(err.Error()).NotTo(ContainSubstring("key"))
	},
		Entry("on another host", "https://evil.example.com/?key"),
		Entry("on another port", "https://mcp.example.com:8443/?key"),
		Entry("without TLS", "http://mcp.example.com/?key"),
		Entry("by a host without a scheme", "//evil.example.com/?key"),
		Entry("by an invalid URL", "http://%zz/?key"),
	)

	It("follows a redirect to its own origin in another spelling", func() {
		var far *httptest.Server
		heard := make(chan string, 2)
		far = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			heard <- r.RequestURI
			if r.URL.Path == "/here" {
				_, port, _ := net.SplitHostPort(far.Listener.Addr().String())
				w.Header().Set("Location", "http://LocalHost:"+port+"/there?q=é 1")
				w.WriteHeader(http.StatusTemporaryRedirect)
			}
		}))
		DeferCleanup(far.Close)
		_, port, _ := net.SplitHostPort(far.Listener.Addr().String())

		response := spec.Must(endpoint("http://localhost:"+port+"/here", `{}`).Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}")))
		Expect(response.Body.Close()).To(Succeed())
		Expect(<-heard).To(Equal("/here"))
		Expect(<-heard).To(Equal("/there?q=%C3%A9%201"))
	})

	It("follows a redirect to plain http at its own host with TLS", func() {
		heard := make(chan string, 2)
		far := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			heard <- r.URL.Path
			if r.URL.Path == "/mcp" {
				http.Redirect(w, r, "http://"+r.Host+"/mcp/", http.StatusTemporaryRedirect)
			}
		}))
		DeferCleanup(far.Close)
		near := endpoint(far.URL+"/mcp", `{}`)
		near.Trust(far.Certificate())

		response := spec.Must(near.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}")))

		Expect(response.Body.Close()).To(Succeed())
		Expect([]string{<-heard, <-heard}).To(Equal([]string{"/mcp", "/mcp/"}))
	})

	It("does not advise to write the plain http address of another host", func() {
		far := httptest.NewTLSServer(http.RedirectHandler("http://elsewhere.invalid/mcp", http.StatusTemporaryRedirect))
		DeferCleanup(far.Close)
		near := endpoint(far.URL+"/mcp", `{}`)
		near.Trust(far.Certificate())

		_, err := near.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))

		Expect(err).To(MatchError(And(ContainSubstring("which is plain http"), Not(ContainSubstring("write its address")))))
	})

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
			Expect(response.Body.Close()).To(Succeed())
			Expect(<-heard).To(Equal("POST /there {}"))
			return
		}
		Expect(err).To(MatchError(ContainSubstring("redirects")))
	},
		Entry("with the message is followed", 307, "/there", true),
		Entry("with the message for good is followed", 308, "/there", true),
		Entry("without the message is not", 303, "/there", false),
		Entry("in a circle is not followed forever", 307, "/here", false),
	)
})
