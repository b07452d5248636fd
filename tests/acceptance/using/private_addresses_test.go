package using_test

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

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
		Entry(nil, "localhost"), Entry(nil, "localhost."), Entry(nil, "127.0.0.1."), Entry(nil, "10.0.0.1."), Entry(nil, "2130706433"), Entry(nil, "127.1"),
		Entry(nil, "0x7f000001"), Entry(nil, "0xa9fea9fe"), Entry(nil, "[::ffff:0:7f00:1]"), Entry(nil, "[2001:0:7f00:1::1]"), Entry(nil, "[::ffff:7f00:1]"),
		Entry(nil, "169.254.169.254"), Entry(nil, "metadata.google.internal"), Entry(nil, "intranet"),
	)
})
