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
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
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
			web.Drain(response)
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
