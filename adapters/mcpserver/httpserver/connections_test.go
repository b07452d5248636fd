package httpserver_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// port is a listener whose connections are pipes, so that their time is that of a bubble.
type port struct {
	arriving chan net.Conn
	closed   chan struct{}
	server   *httpserver.Server
}

// Accept implements net.Listener.
func (p *port) Accept() (net.Conn, error) {
	select {
	case c := <-p.arriving:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *port) Close() error {
	close(p.closed)
	return nil
}

// Addr implements net.Listener.
func (*port) Addr() net.Addr { return &net.TCPAddr{} }

// serve serves the handler as the program does, except that the header Authorization is an identity.
func (d *testHandler) serve() (*port, *httpserver.Server) {
	p := &port{arriving: make(chan net.Conn), closed: make(chan struct{})}
	server := httpserver.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := callers.AccessOf(r.Context())
		if identity := r.Header.Get("Authorization"); identity != "" {
			caller.Identity = identity
		}
		d.ServeHTTP(w, r.WithContext(callers.WithAccess(r.Context(), caller)))
	}), slog.New(slog.DiscardHandler))
	p.server = server
	go func() { _ = server.Serve(p) }() // which fails when it is closed
	return p, server
}

// listenOn is serve until the returned function is called.
func (d *testHandler) listenOn() (p *port, end func()) {
	p, server := d.serve()
	return p, func() {
		d.Close()
		_ = server.Close() // its connections are pipes
		synctest.Wait()
	}
}

// wire is the end of a connection that a host has.
type wire struct {
	net.Conn
	in *bufio.Reader
}

func (p *port) dial() *wire {
	near, far := net.Pipe()
	p.arriving <- far
	return &wire{Conn: near, in: bufio.NewReader(near)}
}

// send writes a text, which the server may not read any more.
func (w *wire) send(text string) {
	go func() { _, _ = io.WriteString(w, text) }() // a connection that ends takes no more
	synctest.Wait()
}

// status reads an answer and returns its status and its body.
func (w *wire) status() (code int, body string) {
	GinkgoHelper()
	response := spec.Must(http.ReadResponse(w.in, nil))
	text := spec.Must(io.ReadAll(response.Body))
	Expect(response.Body.Close()).To(Succeed())
	return response.StatusCode, string(text)
}

// endsAfter waits for the end of the connection, and returns what it took.
func (w *wire) endsAfter() time.Duration {
	GinkgoHelper()
	from := time.Now()
	_, err := io.Copy(io.Discard, w.in)
	Expect(err).To(Or(Not(HaveOccurred()), MatchError(io.ErrClosedPipe)))
	return time.Since(from)
}

// raw returns a POST of a session with a body, and a line of its own in the head.
func (h *olderHost) raw(line, body string) string {
	return "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nMcp-Session-Id: " + h.session + "\r\n" + line + "\r\n\r\n" + body
}

// expectServed expects that the host is answered on a connection of its own.
func (h *olderHost) expectServed(p *port) {
	GinkgoHelper()
	w := p.dial()
	w.send(h.raw("Content-Length: 43", `{"jsonrpc":"2.0","id":"ok","method":"ping"}`))
	code, body := w.status()
	Expect(code).To(Equal(200), body)
	Expect(body).To(Equal(`{"jsonrpc":"2.0","id":"ok","result":{}}`))
	Expect(w.Close()).To(Succeed())
}

var _ = Describe("Connections of hosts", Label("M07"), func() {
	call := request("7", "tools/call", using(""))

	// serving runs a spec with a host that has a session, over pipes in a bubble.
	serving := func(body func(h *olderHost, p *port)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			d.limits.Sessions = 1000
			h := d.open().connect(anonymous)
			p, end := d.listenOn()
			body(h, p)
			h.expectServed(p)
			end()
		})
	}

	It("end after ten seconds without a request header", Label("M07"), serving(func(h *olderHost, p *port) {
		slow := p.dial()
		slow.send("POST /mcp HTTP/1.1\r\nHost: x\r\nX-A: ")
		h.expectServed(p)

		Expect(slow.endsAfter()).To(Equal(10 * time.Second))
	}))

	It("end after two minutes without a request", serving(func(h *olderHost, p *port) {
		silent := p.dial()
		silent.send(h.raw("Content-Length: 43", `{"jsonrpc":"2.0","id":"ok","method":"ping"}`))
		silent.status()

		Expect(silent.endsAfter()).To(Equal(2 * time.Minute))
	}))

	It("are refused headers over 64 KiB", Label("M07"), serving(func(h *olderHost, p *port) {
		large := p.dial()
		large.send(h.raw("X-Large: "+strings.Repeat("a", 80<<10), ""))

		code, _ := large.status()
		Expect(code).To(Equal(431))
		Expect(large.Close()).To(Succeed())
	}))

	It("speak no HTTP/2 without TLS", serving(func(h *olderHost, p *port) {
		prior := p.dial()
		prior.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		code, _ := prior.status()
		Expect(code).To(Equal(405))
		prior.endsAfter()
		upgrading := p.dial()
		upgrading.send(h.raw("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 43", `{"jsonrpc":"2.0","id":"ok","method":"ping"}`))
		code, _ = upgrading.status()
		Expect(code).To(Equal(200), "not 101")
		Expect(upgrading.Close()).To(Succeed())
	}))

	It("that are cut anywhere in a body call nothing", Label("M07"), serving(func(h *olderHost, p *port) {
		for at := range len(call) {
			cut := p.dial()
			cut.send(h.raw(fmt.Sprint("Content-Length: ", len(call)), call[:at]))
			Expect(cut.Close()).To(Succeed())
			synctest.Wait()
		}
		chunked := fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 20, call[:20], len(call)-20, call[20:])
		for at := range len(chunked) {
			cut := p.dial()
			cut.send(h.raw("Transfer-Encoding: chunked", chunked[:at]))
			Expect(cut.Close()).To(Succeed())
			synctest.Wait()
		}

		Expect(h.handler.host().count()).To(BeZero())
		whole := p.dial()
		whole.send(h.raw("Transfer-Encoding: chunked", chunked))
		Expect(h.handler.host().count()).To(Equal(1))
		Expect(whole.Close()).To(Succeed())
	}))

	It("are answered and closed when they fall silent in a body for ten seconds", serving(func(h *olderHost, p *port) {
		for _, line := range []string{"X-A: b", "Accept: text/html", "Mcp-Protocol-Version: 1999-01-01"} {
			silent := p.dial()
			silent.send(h.raw(line+fmt.Sprint("\r\nContent-Length: ", len(call)), call[:9]))
			began := time.Now()
			_, _ = io.Copy(io.Discard, silent.in)
			Expect(time.Since(began)).To(BeNumerically("<=", 20*time.Second), line)
		}
		Expect(h.handler.host().count()).To(BeZero())
	}))

	DescribeTable("are answered with 400 when the length of a body is wrong", Label("M07"),
		func(line string) {
			serving(func(h *olderHost, p *port) {
				w := p.dial()
				w.send(h.raw(line, call))
				code, _ := w.status()
				Expect(code).To(Equal(400))
				Expect(h.handler.host().count()).To(BeZero())
				Expect(w.Close()).To(Succeed())
			})()
		},
		Entry("less", "Content-Length: 20"),
		Entry("one less", fmt.Sprint("Content-Length: ", len(call)-1)),
		Entry("nothing", "Content-Length: 0"),
		Entry("a negative one", "Content-Length: -1"),
		Entry("words", "Content-Length: many"),
		Entry("two", "Content-Length: 20\r\nContent-Length: 30"),
		Entry("none at all", "X-A: b"),
		Entry("invalid chunks", "Transfer-Encoding: chunked"),
	)

	It("end after a message over the limit, without reading the rest of it", serving(func(h *olderHost, p *port) {
		connection := p.dial()
		connection.send(h.raw("Content-Length: 100000000", ""))
		code, _ := connection.status()
		Expect(code).To(Equal(413))
		connection.endsAfter()
		untold := p.dial()
		untold.send(h.raw("Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s", 8<<20, strings.Repeat(" ", 8<<20))))
		code, _ = untold.status()
		Expect(code).To(Equal(413))
		untold.endsAfter()
	}))

	It("end within a minute when their client does not read, without an effect on others", serving(func(h *olderHost, p *port) {
		deaf, streaming := p.dial(), p.dial()
		deaf.send(h.raw("Content-Length: "+fmt.Sprint(len(call)), call))
		streaming.send("GET /mcp HTTP/1.1\r\nHost: x\r\nMcp-Session-Id: " + h.session + "\r\n\r\n")
		h.handler.host().last().answer(`{"content":[],"x":"` + strings.Repeat("x", 1<<20) + `"}`)
		for range 600 {
			go h.handler.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		}
		synctest.Wait()
		h.expectServed(p)

		time.Sleep(time.Minute)
		synctest.Wait()
		for _, w := range []*wire{deaf, streaming} {
			_, err := w.Write([]byte("x"))
			Expect(errors.Is(err, io.ErrClosedPipe)).To(BeTrue())
		}
	}))

	It("are served beside hundreds of silent ones", serving(func(h *olderHost, p *port) {
		var silent []*wire
		for i := range 300 {
			w := p.dial()
			switch i % 3 {
			case 1:
				w.send("POST /mcp HTTP/1.1\r\n")
			case 2:
				w.send(h.raw("Content-Length: 99", "{"))
			}
			silent = append(silent, w)
		}
		h.expectServed(p)

		time.Sleep(3 * time.Minute)
		for _, w := range silent {
			w.endsAfter()
		}
	}))

	It("carry a stream for as long as it is open", serving(func(h *olderHost, p *port) {
		w := p.dial()
		w.send("GET /mcp HTTP/1.1\r\nHost: x\r\nMcp-Session-Id: " + h.session + "\r\n\r\n")
		lines := make(chan string, 10000)
		go func() {
			defer close(lines)
			for {
				line, err := w.in.ReadString('\n')
				if err != nil {
					return
				}
				lines <- line
			}
		}()
		time.Sleep(time.Hour)
		h.handler.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		synctest.Wait()
		Expect(w.Close()).To(Succeed())
		synctest.Wait()

		heard := ""
		for line := range lines {
			heard += line
		}
		Expect(heard).To(ContainSubstring("notifications/resources/list_changed"))
	}))
})

// failingListener accepts nothing.
type failingListener struct {
	net.Listener
	err error
}

func (l failingListener) Accept() (net.Conn, error) { return nil, l.err }

var _ = Describe("Connections that cannot be accepted", func() {
	It("are logged once a minute", spec.InBubble(func(*testing.T) {
		log := gbytes.NewBuffer()
		listener := httpserver.WarnRefused(failingListener{err: syscall.EMFILE}, slog.New(slog.NewTextHandler(log, nil)))
		lines := func() int {
			return strings.Count(string(log.Contents()), "level=WARN msg=\"connections of hosts cannot be accepted")
		}

		for range 100 {
			_, err := listener.Accept()
			Expect(err).To(MatchError(syscall.EMFILE))
		}
		Expect(lines()).To(Equal(1))
		time.Sleep(time.Minute)
		_, _ = listener.Accept() // it fails as before
		Expect(lines()).To(Equal(2))
	}))

	It("are not logged at the end", func() {
		log := gbytes.NewBuffer()
		listener := httpserver.WarnRefused(failingListener{err: net.ErrClosed}, slog.New(slog.NewTextHandler(log, nil)))

		_, err := listener.Accept()
		Expect(err).To(MatchError(net.ErrClosed))
		Expect(log.Contents()).To(BeEmpty())
	})
})

var _ = Describe("Bodies of messages", Label("TH04"), func() {
	const mib = 1 << 20
	// serving runs a spec with a host that has a session, at a handler that takes messages of 8 MiB.
	serving := func(body func(h *olderHost, p *port)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			d.limits.MessageSize = 8 * mib
			h := d.open().connect(anonymous)
			p, end := d.listenOn()
			body(h, p)
			h.expectServed(p)
			end()
		})
	}
	modern := "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\nContent-Length: 8388608\r\n\r\n"
	// unfinished begins that many requests, of whose bodies so many bytes arrive.
	unfinished := func(p *port, count int, head string, size int) (begun []*wire) {
		for range count {
			w := p.dial()
			w.send(head + strings.Repeat(" ", size))
			begun = append(begun, w)
		}
		return begun
	}
	end := func(begun []*wire) {
		for _, w := range begun {
			Expect(w.Close()).To(Succeed())
		}
		time.Sleep(time.Second) // for which net/http waits after a refusal
		synctest.Wait()
	}

	It("are not read when their session does not exist or belongs to another caller", serving(func(h *olderHost, p *port) {
		for _, session := range []string{"unknown", h.session} {
			thief := &olderHost{handler: h.handler, caller: ann, session: session}
			asked := h.handler.begin(thief.caller, "POST", thief.headers(), "this is no message")
			Expect(asked.code()).To(Equal(404))
		}
		w := p.dial()
		w.send((&olderHost{session: "unknown"}).raw("Content-Length: 65537", ""))
		code, _ := w.status()
		Expect(code).To(Equal(404), "before anything of the body came, which is too long for a handshake")
		end([]*wire{w})
	}))

	It("are limited to a megabyte without a session, by their declared or their actual length", serving(func(h *olderHost, _ *port) {
		long := request(`"me"`, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+strings.Repeat("x", mib)+`","version":"1"}}`)

		for _, refused := range []*response{h.handler.begin(anonymous, "POST", nil, long), h.handler.beginChunked(anonymous, nil, long)} {
			Expect(refused.code()).To(Equal(413))
			Expect(refused.text()).To(ContainSubstring("a message without a session is over the limit of 1048576 bytes"))
		}
		Expect(h.handler.calls()).To(Equal(1))
	}))

	It("arrive complete, however they are split", serving(func(h *olderHost, _ *port) {
		for _, size := range []int{1, 500, 513, 60 << 10, 65 << 10, 130 << 10, mib, 3*mib + 1, 8*mib - 500} {
			argument := strings.Repeat("0123456789abcdef", size/16+1)[:size]
			body := request("7", "tools/call", strings.Replace(using(""), `"read"}`, `"read"},"arguments":{"x":"`+argument+`"}`, 1))
			r := h.handler.beginChunked(h.caller, h.headers(), body)
			Expect(string(h.handler.host().last().Arguments) == `{"x":"`+argument+`"}`).To(BeTrue(), "%d bytes", size)
			h.handler.host().last().answer(`{}`)
			Expect(r.code()).To(Equal(200))
		}
	}))

	It("share a bound while they are incomplete, and are accepted again below it", serving(func(h *olderHost, p *port) {
		call := request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 4*mib)+`"`))
		begun := unfinished(p, 5, h.raw("Content-Length: 8388608", ""), 3*mib)

		refused := h.handler.beginChunked(h.caller, h.headers(), call)

		Expect(refused.code()).To(Equal(503))
		Expect(refused.sent.Get("Retry-After")).To(Equal("1"))
		Expect(refused.sent.Get("Connection")).To(Equal("close"))
		Expect(refused.text()).To(HavePrefix(`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,`))
		h.expectServed(p)
		end(begun)
		Expect(h.handler.beginChunked(h.caller, h.headers(), call).code()).To(BeZero(), "it is under way")
		h.handler.host().last().answer(`{}`)
	}))

	It("count by what has arrived, not by their declared length", serving(func(h *olderHost, p *port) {
		begun := unfinished(p, 200, modern, 1)

		h.post(request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 8*mib-500)+`"`)))

		h.handler.host().last().answer(`{}`)
		end(begun)
	}))

	It("leave no memory in use after too many were refused", serving(func(h *olderHost, p *port) {
		for i := range 20 {
			end(unfinished(p, 3, modern, (i%5+1)*mib))
			long := fmt.Sprintf("%x\r\n%s", 9*mib, strings.Repeat(" ", 9*mib))
			w := p.dial()
			w.send(h.raw("Transfer-Encoding: chunked", long))
			code, _ := w.status()
			Expect(code).To(Equal(413))
			end([]*wire{w})
		}
		h.post(request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 8*mib-500)+`"`)))
		h.handler.host().last().answer(`{}`)
	}))
})
