package web_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// pipes is a listener whose connections are made by a function, in memory.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	dialled  int
}

func (p *pipes) dial() (net.Conn, error) {
	p.dialled++
	near, far := net.Pipe()
	p.accepted <- far
	return near, nil
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case connection := <-p.accepted:
		return connection, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	close(p.closed)
	return nil
}

// Addr implements net.Listener.
func (*pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory"} }

var _ = Describe("An idle connection", func() {
	// connections makes three requests with that pause in between, the last with a body, to a
	// server that says how long it keeps connections, and returns how many connections that took.
	connections := func(t *testing.T, keepAlive string, pause time.Duration) int {
		dialled := &pipes{accepted: make(chan net.Conn, 1), closed: make(chan struct{})}
		server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if keepAlive != "" {
				w.Header().Set("Keep-Alive", keepAlive)
			}
		})}
		go func() { _ = server.Serve(dialled) }()
		address := spec.Must(web.NewEndpoint(domain.Server{Settings: json.RawMessage(`{"url":"http://far.example/"}`)}, "workbench/test", nil, func() {}))
		address.DialWith(dialled.dial)
		for _, body := range [][]byte{nil, nil, []byte("{}")} {
			response := spec.Must(address.Do(t.Context(), http.MethodPost, http.Header{}, body))
			Expect(io.Copy(io.Discard, response.Body)).Error().NotTo(HaveOccurred())
			time.Sleep(pause)
		}
		address.Close()
		Expect(server.Close()).To(Succeed())
		return dialled.dialled
	}

	DescribeTable("is not reused shortly before its server closes it", Label("H04"),
		func(keepAlive string, pause time.Duration, dialled int) {
			spec.Bubble(func(t *testing.T) { Expect(connections(t, keepAlive, pause)).To(Equal(dialled)) })
		},
		Entry("as the server says", "timeout=5", 4*time.Second, 3),
		Entry("but is earlier", "timeout=5", 3900*time.Millisecond, 1),
		Entry("among other things", "max=100, Timeout=5", 4500*time.Millisecond, 3),
		Entry("after half of a short time", "timeout=1", 500*time.Millisecond, 3),
		Entry("but is earlier than that", "timeout=1", 400*time.Millisecond, 1),
		Entry("but is if the server sets no time", "", 60*time.Second, 1),
		Entry("but is if the server sets an invalid time", "timeout=soon", 60*time.Second, 1),
		Entry("but is if the server sets 0", "timeout=0", 60*time.Second, 1),
	)
})

var _ = Describe("A connection that ends", func() {
	// failing returns what a request to that server fails with.
	failing := func(url string) error {
		GinkgoHelper()
		_, err := endpoint(url, `{}`).Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))
		Expect(err).To(HaveOccurred())
		return err
	}
	// hangingUp serves connections in a way of its own and returns host and port.
	hangingUp := func(serve func(net.Conn)) string {
		listener := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
		DeferCleanup(listener.Close)
		go func() {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return // the spec is over
				}
				serve(connection)
				_ = connection.Close()
			}
		}()
		return listener.Addr().String()
	}
	hearSome := func(connection net.Conn) { _, _ = connection.Read(make([]byte, 16)) }
	reset := func(connection net.Conn) {
		hearSome(connection)
		_ = connection.(*net.TCPConn).SetLinger(0)
	}

	DescribeTable("during the TLS handshake has not carried out the request", Label("H05"), func(serve func(net.Conn)) {
		address := hangingUp(serve)

		err := failing("https://" + address + "/mcp")

		_, isUnreachable := errors.AsType[*web.UnreachableError](err)
		Expect(isUnreachable).To(BeTrue(), err.Error())
		Expect(err).To(MatchError("cannot connect to https://" + address + ": the connection was closed during the TLS handshake"))
	},
		Entry("at once", func(net.Conn) {}),
		Entry("after the first bytes", hearSome),
		Entry("with a reset", reset),
	)

	It("in a proxy that does not connect has not carried out the request", func() {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
		DeferCleanup(proxy.Close)
		address := endpoint("https://mcp.example.com/mcp", `{}`)
		address.ProxyBy(proxy.URL)

		_, err := address.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))

		_, isUnreachable := errors.AsType[*web.UnreachableError](err)
		Expect(isUnreachable).To(BeTrue(), err.Error())
		Expect(err).To(MatchError("cannot connect to https://mcp.example.com: Forbidden"))
	})

	It("that wants a client certificate is named as such, before the first answer", func() {
		far := httptest.NewUnstartedServer(http.NotFoundHandler())
		far.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
		far.Config.ErrorLog = log.New(io.Discard, "", 0)
		far.StartTLS()
		DeferCleanup(far.Close)
		address := endpoint(far.URL, `{}`)
		address.Trust(far.Certificate())

		_, err := address.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))

		_, isUnreachable := errors.AsType[*web.UnreachableError](err)
		Expect(isUnreachable).To(BeTrue(), err.Error())
		Expect(err).To(MatchError("TLS with " + far.URL + ` failed: the server answers "tls: certificate required"; ` +
			`it wants a client certificate, which "tls": {"cert": FILE, "key": FILE} in its settings names`))
	})

	DescribeTable("after the request was sent may have carried it out", func(secured, http2 bool) {
		over := make(chan int, 1)
		far := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			over <- r.ProtoMajor
			panic(http.ErrAbortHandler)
		}))
		far.EnableHTTP2 = http2
		far.Config.ErrorLog = log.New(io.Discard, "", 0)
		if secured {
			far.StartTLS()
		} else {
			far.Start()
		}
		DeferCleanup(far.Close)
		address := endpoint(far.URL, `{}`)
		address.Trust(far.Certificate())

		_, err := address.Do(context.Background(), http.MethodPost, http.Header{}, []byte("{}"))

		Expect(err).To(MatchError(web.ErrCut))
		Expect(<-over == 2).To(Equal(http2))
	},
		Entry("over plain http", false, false),
		Entry("over TLS", true, false),
		Entry("over HTTP/2", true, true),
	)
})

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
		Entry("about a name and a password", 401, http.Header{"Www-Authenticate": {`Basic realm="corp"`}}, "",
			`requires authentication (401 Unauthorized): add "Authorization" to its "headers" in the configuration, such as "Basic ${LOGIN}", where LOGIN is "NAME:PASSWORD" in base64`),
		Entry("about a login of a domain", 401, http.Header{"Www-Authenticate": {"Negotiate, NTLM"}}, "",
			`requires authentication (401 Unauthorized): it wants a login by Negotiate, which the workbench cannot do`),
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

var _ = Describe("The workers of a link", func() {
	It("have a context of their own each", func() {
		workers := web.NewWorkers()
		ended := make(chan string, 2)
		run := func(name string) func(context.Context) {
			return func(ctx context.Context) {
				<-ctx.Done()
				ended <- name
			}
		}
		cancelFirst := workers.Start(run("first"))
		workers.Start(run("second"))

		cancelFirst()

		Eventually(ended).WithTimeout(patience).Should(Receive(Equal("first")))
		Expect(ended).NotTo(Receive())
		workers.Close(context.Background(), 0)
		Expect(ended).To(Receive(Equal("second")))
	})

	It("run in any number, and never after the end", func() {
		workers := web.NewWorkers()
		var ran atomic.Int64
		for range 1000 {
			workers.Start(func(context.Context) { ran.Add(1) })
		}

		workers.Close(context.Background(), patience)
		workers.Start(func(context.Context) { ran.Add(1) })

		Expect(ran.Load()).To(BeEquivalentTo(1000))
	})

	It("accept no more messages while the server accepts none, and do not block their senders", func() {
		workers := web.NewWorkers()
		var sequencer web.Sequencer
		taken := make(chan struct{})
		send := func() error { return workers.Send(sequencer.Ticket(), func(context.Context) { <-taken }) }
		for range 256 {
			Expect(send()).To(Succeed())
		}

		Expect(workers.Send(sequencer.Barrier(), func(context.Context) {})).To(MatchError(jsonrpc.ErrQueueFull))

		Expect(sequencer.Ticket().Wait(context.Background())).To(BeTrue())
		close(taken)
		Eventually(send).WithTimeout(patience).Should(Succeed())
		workers.Close(context.Background(), patience)
	})
})

func TestWorkersGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		workers := web.NewWorkers()
		slow := func(length time.Duration) func(context.Context) {
			return func(ctx context.Context) { web.Pause(ctx, length) }
		}
		workers.Start(slow(time.Second))
		workers.Start(slow(time.Hour))

		begun := time.Now()
		workers.Close(t.Context(), 3*time.Second)

		if waited := time.Since(begun); waited != 3*time.Second {
			t.Fatalf("what ran was given %s, not the grace", waited)
		}
	})
}
