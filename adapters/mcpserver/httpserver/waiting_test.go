package httpserver_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/tests/spec"
)

// resetStreams returns the text of a host that begins with HTTP/2 and resets each of its requests at once.
func resetStreams() string {
	const (
		settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
		get      = "\x82\x86\x84\x41\x01x" // in HPACK: GET http://x/
		cancel   = "\x00\x00\x00\x08"
	)
	text := "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings
	for stream := 1; stream < 10; stream += 2 {
		id := "\x00\x00\x00" + string(rune(stream))
		text += "\x00\x00\x06\x01\x05" + id + get + "\x00\x00\x04\x03\x00" + id + cancel
	}
	return text
}

// closingSlowly is a listener whose first connection is not closed before the second attempt.
type closingSlowly struct {
	net.Listener
	attempted chan struct{} // closed at the first attempt
	isLater   bool
}

// Accept implements net.Listener.
func (l *closingSlowly) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil || l.isLater {
		return c, err
	}
	l.isLater = true
	return &closedSlowly{Conn: c, attempted: l.attempted}, nil
}

type closedSlowly struct {
	net.Conn
	attempted chan struct{}
	attempts  atomic.Int32
}

// Close implements net.Conn.
func (c *closedSlowly) Close() error {
	if c.attempts.Add(1) == 1 {
		close(c.attempted)
		return nil
	}
	return c.Conn.Close()
}

var _ = Describe("Connections without a request under way", Label("SH02"), func() {
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "%03x:\n", i)
	}

	DescribeTable("are closed beyond 512, the one that waited for longest first, and not those that are used",
		func(begin string, answer, count int) {
			begun, used := make(chan struct{}), make(chan struct{})
			server := httpserver.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/used" {
					close(begun)
					<-used
				}
			}), slog.New(slog.DiscardHandler))
			server.ReadHeaderTimeout, server.ReadTimeout = time.Hour, time.Hour
			server.Protocols = &http.Protocols{}
			server.Protocols.SetHTTP1(true)
			server.Protocols.SetUnencryptedHTTP2(true)
			listener := spec.Must(net.Listen("tcp4", "127.0.0.1:0"))
			go func() { _ = server.Serve(listener) }() // which fails when it is closed
			DeferCleanup(server.Close)
			dial := func(text string, answer int) net.Conn {
				c := spec.Must(net.Dial("tcp4", listener.Addr().String()))
				DeferCleanup(c.Close)
				Expect(c.SetDeadline(time.Now().Add(spec.Limit))).To(Succeed())
				spec.Must(io.WriteString(c, text))
				spec.Must(io.ReadFull(c, make([]byte, answer)))
				return c
			}
			working := dial("GET /used HTTP/1.1\r\nHost: x\r\n\r\n", 0)
			Eventually(begun).Should(BeClosed())
			first := dial(begin, answer)
			for range count {
				dial(begin, answer)
			}

			_, err := io.Copy(io.Discard, first)
			if err != nil {
				Expect(err).To(MatchError(ContainSubstring("reset")))
			}
			dial("GET / HTTP/1.1\r\nHost: x\r\n\r\n", len("HTTP/1.1 200"))
			close(used)
			spec.Must(io.ReadFull(working, make([]byte, len("HTTP/1.1 200"))))
		},
		Entry("headers that never end", "GET / HTTP/1.1\r\na: b\r\n", 0, 600),
		Entry("connections that are kept", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", len("HTTP/1.1 200"), 600),
		Entry("connections of HTTP/2 whose streams are reset at once", resetStreams(), len("\x00\x00\x00\x04"), 600),
		Entry("bodies that never end, and that no handler reads", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", 0, 600),
		Entry("long headers that never end, of which 1 MiB is read", "GET / HTTP/1.1\n"+lines.String(), 0, 100),
	)

	It("get no request carried out once they are given up, since it could not be answered", func(ctx SpecContext) {
		var paths sync.Map
		server := httpserver.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			paths.Store(r.URL.Path, true)
		}), slog.New(slog.DiscardHandler))
		idle, changed := make(chan struct{}), server.ConnState
		closeIdle := sync.OnceFunc(func() { close(idle) })
		server.ConnState = func(c net.Conn, state http.ConnState) {
			changed(c, state)
			if state == http.StateIdle {
				closeIdle()
			}
		}
		listener := &closingSlowly{Listener: spec.Must(net.Listen("tcp4", "127.0.0.1:0")), attempted: make(chan struct{})}
		go func() { _ = server.Serve(listener) }() // which fails when it is closed
		DeferCleanup(server.Close)
		get := func(path string) net.Conn {
			c := spec.Must(net.Dial("tcp4", listener.Addr().String()))
			DeferCleanup(c.Close)
			spec.Must(io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"))
			spec.Must(io.ReadFull(c, make([]byte, 1)))
			return c
		}
		first := get("/first")
		Eventually(ctx, idle).Should(BeClosed()) // which may be long after its answer
		for range 513 {
			get("/other")
		}
		Eventually(ctx, listener.attempted).Should(BeClosed())

		spec.Must(io.WriteString(first, "GET /late HTTP/1.1\r\nHost: x\r\n\r\n"))

		spec.Must(io.ReadAll(first))
		_, isCarriedOut := paths.Load("/late")
		Expect(isCarriedOut).To(BeFalse())
	})
})

var _ = Describe("Messages that arrive", Label("SH02"), func() {
	DescribeTable("count with what their connection or stream takes, however short they are, and the caller with most gives up its last ones", func(version int) {
		spec.Bubble(func(*testing.T) {
			d := newTestHandler().open()
			a, b := d.connect(ann), d.connect(bob)
			begin := func(h *olderHost) *halfSent {
				sent := &halfSent{ResponseRecorder: httptest.NewRecorder(), cut: make(chan struct{})}
				r := httptest.NewRequestWithContext(callers.WithAccess(context.Background(), h.caller), http.MethodPost, "/mcp", sent)
				r.ProtoMajor = version
				for name, value := range h.headers() {
					r.Header.Set(name, value)
				}
				go d.ServeHTTP(sent, r)
				synctest.Wait()
				return sent
			}
			var all []*halfSent
			for range 900 {
				all = append(all, begin(a))
			}
			all = append(all, begin(b))

			refused := 0
			for _, sent := range all {
				if sent.Code == http.StatusServiceUnavailable {
					refused++
				}
			}
			Expect(refused).To(BeNumerically("~", 219, 1), "beyond 16 MiB")
			Expect(all[0].cut).NotTo(BeClosed())
			Expect(all[900].cut).NotTo(BeClosed())
			for _, sent := range all {
				_ = sent.SetReadDeadline(time.Now())
			}
			d.Close()
		})
	}, Entry("over HTTP/1.1", 1), Entry("over HTTP/2", 2))
})

// halfSent is a request whose body does not end.
type halfSent struct {
	*httptest.ResponseRecorder
	once sync.Once
	cut  chan struct{} // closed when it is given up
}

// Read implements io.Reader.
func (h *halfSent) Read([]byte) (int, error) {
	<-h.cut
	return 0, os.ErrDeadlineExceeded
}

// SetReadDeadline is for http.ResponseController. A deadline that has passed ends the body.
func (h *halfSent) SetReadDeadline(deadline time.Time) error {
	if !deadline.IsZero() && !deadline.After(time.Now()) {
		h.once.Do(func() { close(h.cut) })
	}
	return nil
}
