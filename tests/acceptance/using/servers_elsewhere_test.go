package using_test

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// proxy is an HTTP proxy that sends every request to one server.
type proxy struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // hosts
}

func newProxy(far *remote.Server) *proxy {
	p := &proxy{}
	pass := passTo(far)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, r.URL.Host)
		p.mu.Unlock()
		pass.ServeHTTP(w, r)
	}))
	DeferCleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// passTo passes requests on to a server. Each is read completely first: an answer that
// begins before the end of a request would cut both.
func passTo(far *remote.Server) http.Handler {
	pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: far.Address()})
	pass.FlushInterval = -1
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		pass.ServeHTTP(w, r)
	})
}

func (p *proxy) hosts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

var _ = Describe("A server elsewhere", func() {
	start := func() *remote.Server {
		far := remote.StartStreamable(script.Script{
			Tools: []string{script.Tool("read")}, Rules: []script.Rule{script.Answer("", script.Text("done"))},
		})
		DeferCleanup(far.Break)
		return far
	}
	// open opens a server at a URL, with variables in the workbench's environment.
	open := func(url string, env ...string) (*Workbench, Message) {
		GinkgoHelper()
		w := Start(Launch{
			Config: Configuration(InDev(ServerAt("far", url, ""))), Env: env,
		})
		w.Initialize()
		return w, w.Call("open_toolbox", `{"toolbox":"dev"}`)
	}
	// The name is never in the DNS (RFC 6761): only a proxy can reach it.
	const named = "http://mcp.example.invalid/mcp"

	It("is reached through the proxy in the environment", func() {
		by := newProxy(start())

		w, opened := open(named, "HTTP_PROXY="+by.URL)

		Expect(opened.Opened().Names()).To(Equal([]string{"read"}))
		Expect(w.Use("dev", "far", "read", `{}`).Text()).To(Equal("done"))
		Expect(by.hosts()).To(HaveEach("mcp.example.invalid"))
	})

	DescribeTable("is not reached through it",
		func(excluded string) {
			by := newProxy(start())

			_, opened := open(named, "HTTP_PROXY="+by.URL, "NO_PROXY="+excluded)

			Expect(opened.Failure()).To(ContainSubstring("the host of http://mcp.example.invalid"))
			Expect(by.hosts()).To(BeEmpty())
		},
		Entry("when the environment excludes its host", "a.example,mcp.example.invalid"),
		Entry("when the environment excludes everything", "*"),
	)

	It("on this machine is reached without a proxy", func() {
		far := start()
		by := newProxy(far)

		_, opened := open(far.URL(), "HTTP_PROXY="+by.URL)

		Expect(opened.Opened().Names()).To(Equal([]string{"read"}))
		Expect(by.hosts()).To(BeEmpty())
	})

	It("is reported to be behind a proxy that cannot be reached", func() {
		_, opened := open(named, "HTTP_PROXY=http://127.0.0.1:1")

		Expect(opened.Failure()).To(ContainSubstring("the proxy that the environment names for http://mcp.example.invalid cannot be reached: "))
	})

	It("is trusted only if the environment names a file with its authority", func() {
		secured := Secure(passTo(start()), tls.NoClientCert)

		_, trusted := open(secured.URL+"/mcp", "SSL_CERT_FILE="+secured.Certificate)
		_, untrusted := open(secured.URL + "/mcp")

		Expect(trusted.Opened().Names()).To(Equal([]string{"read"}))
		Expect(untrusted.Failure()).To(And(
			ContainSubstring("TLS with https://"+secured.Listener.Addr().String()+" failed: "), ContainSubstring("SSL_CERT_FILE")))
	})

	DescribeTable("that wants a client certificate gets the one that its settings name", func(kind WebKind) {
		far := kind.ServeBehind(func(own string) string { return own }, script.Script{Tools: []string{script.Tool("read")}}).Far
		secured := Secure(passTo(far), tls.RequireAnyClientCert)
		path := strings.TrimPrefix(far.URL(), "http://"+far.Address())
		open := func(settings ...string) Message {
			w := Start(Launch{
				Config: Configuration(InDev(ServerAt("far", secured.URL+path, "", append(settings, `"transport":"`+kind.Transport+`"`)...))),
				Env:    []string{"SSL_CERT_FILE=" + secured.Certificate},
			})
			w.Initialize()
			return w.Call("open_toolbox", `{"toolbox":"dev"}`)
		}

		Expect(open(secured.TLS()).Opened().Names()).To(Equal([]string{"read"}))
		Expect(open().Failure()).To(ContainSubstring(`it wants a client certificate, which "tls": {"cert": FILE, "key": FILE} in its settings names`))
		Expect(open(`"tls":{"cert":"gone.pem"}`).Failure()).To(MatchRegexp(`read the client certificate .*[/\\\\]gone.pem: `))
	},
		Entry("streamable HTTP", WebKinds[0]),
		Entry("HTTP+SSE", WebKinds[2]),
	)
})

// tunnels is a proxy of a company: whatever the requested name, it leads to one server.
type tunnels struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

// newTunnels starts a proxy that leads to the server at an address.
func newTunnels(to string) *tunnels {
	t := &tunnels{}
	t.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.mu.Lock()
		t.asked = append(t.asked, r.Host)
		t.mu.Unlock()
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return // the client is gone
		}
		defer near.Close()
		far, err := net.Dial("tcp", to)
		if err != nil {
			return
		}
		defer far.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(far, near) // until either side ends it
			_ = far.Close()
		}()
		_, _ = io.Copy(near, far)
	}))
	DeferCleanup(t.Server.CloseClientConnections)
	DeferCleanup(t.Server.Close)
	return t
}

// hosts returns the names that the proxy was asked for.
func (t *tunnels) hosts() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.asked...)
}

var _ = Describe("A server on the Internet, behind a proxy", func() {
	DescribeTable("leads to no private address, however it is spelled", Label("TO04"),
		func(host string) {
			far := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://`+host+`/metadata"`)
				w.WriteHeader(http.StatusUnauthorized)
			}))
			DeferCleanup(far.Close)
			proxy := newTunnels(strings.TrimPrefix(far.URL, "https://"))
			folder := GinkgoT().TempDir()
			authority := filepath.Join(folder, "ca.pem")
			Expect(os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: far.Certificate().Raw}), 0o600)).To(Succeed())

			outcome := Run(Launch{
				Config: `{"toolboxes": {"dev": {"mcpServers": {"team": {"url": "https://example.com/mcp"}}}}}`,
				Args:   []string{"login", "dev/team", "--no-browser"},
				Env: []string{
					"HTTPS_PROXY=" + proxy.URL, "NO_PROXY=", "no_proxy=", "SSL_CERT_FILE=" + authority,
					"HOME=" + folder, "USERPROFILE=" + folder, "XDG_STATE_HOME=" + folder, "LocalAppData=" + folder,
				},
			})

			Expect(outcome.Code).To(Equal(1), outcome.Stderr)
			Expect(proxy.hosts()).To(And(Not(BeEmpty()), HaveEach("example.com:443")))
			Expect(outcome.Stderr).To(Or(ContainSubstring("private network"), ContainSubstring("programs disagree")))
		},
		Entry(nil, "localhost."), Entry(nil, "127.1"), Entry(nil, "[::ffff:0:7f00:1]"), Entry(nil, "metadata.google.internal"),
	)
})
