package sse_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Reaching a server over HTTP+SSE", func() {
	It("sends the configured headers with the stream and with every message", func() {
		server := newRaw()
		session := spec.Must(connect(server))

		Expect(use(session).Result).To(Equal("{}"))

		Expect(len(server.headers())).To(BeNumerically(">=", 4))
		for _, header := range server.headers() {
			Expect(header.Get("Authorization")).To(Equal("Bearer very-secret-token"))
		}
	})

	It("sends messages to the address that the stream names, with its query", func() {
		server := newRaw()
		server.address = server.URL + "/messages?session=1"

		session := spec.Must(connect(server))
		Expect(use(session).Result).To(Equal("{}"))
	})

	DescribeTable("fails with one clear line when", func(prepare func(*raw), why string) {
		server := newRaw()
		prepare(server)

		_, err := connect(server)

		Expect(err).To(MatchError(domain.ErrServerUnavailable))
		Expect(domain.Reason(err)).To(ContainSubstring(why))
		Expect(domain.Reason(err)).NotTo(Or(ContainSubstring("\n"), ContainSubstring("very-secret")))
	},
		Entry("the stream names another server for messages", func(s *raw) { s.address = "http://elsewhere.invalid/messages" },
			"refers to another server (http://elsewhere.invalid), which is not trusted with its headers"),
		Entry("the stream does not begin with an address", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "data: hello\n\n")
			}
		}, "does not begin with an address for messages"),
		Entry("the stream ends at once", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") }
		}, "does not begin with an address for messages"),
		Entry("the server wants a login", func(s *raw) {
			s.stream = func(w http.ResponseWriter, r *http.Request) {
				http.Error(w, "bad token: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			}
		}, `does not accept the "Authorization" of its "headers" in the configuration (401 Unauthorized): bad token: ***`),
		Entry("the address is a web page", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<html>")
			}
		}, `answered with a web page instead of MCP; is the "url" right?`),
		Entry("nothing listens", func(s *raw) { s.Close() }, "cannot connect to http://127.0.0.1:"),
	)

	It("fails a refused call with one clear line, makes it once and keeps the session", func() {
		server := newRaw()
		server.post = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(ContainSubstring("too many requests (429 Too Many Requests); it asks to wait for 2s")))

		Expect(server.connections()).To(Equal(1))
		Expect(session.Done()).NotTo(BeClosed())
	})

	It("fails a call whose connection is cut while it is sent, and makes it once", func() {
		server := newRaw()
		server.post = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(ContainSubstring("cut in the middle of the request")))

		Expect(server.connections()).To(Equal(1))
	})

	It("ends when the server does not know the session any longer", func() {
		server := newRaw()
		server.post = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(domain.ErrServerUnavailable))

		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
		Expect(server.connections()).To(Equal(1))
	})
})

// patience is the time a spec waits for something that must happen.
const patience = 20 * time.Second

// raw is a server of HTTP+SSE of which single things can be replaced. Unless a spec
// says otherwise it answers every request with an empty result.
type raw struct {
	*httptest.Server
	// address is the address for messages that the stream names.
	address string
	// stream is in place of the stream, post of what takes a message.
	stream, post http.HandlerFunc

	mu    sync.Mutex
	says  chan string
	calls int
	heard []http.Header
}

func newRaw() *raw {
	r := &raw{address: "/messages", says: make(chan string, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", r.listen)
	mux.HandleFunc("POST /messages", r.take)
	r.Server = httptest.NewServer(mux)
	DeferCleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (s *raw) note(header http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, header)
}

func (s *raw) headers() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.heard...)
}

func (s *raw) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *raw) listen(w http.ResponseWriter, r *http.Request) {
	s.note(r.Header)
	if s.stream != nil {
		s.stream(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", s.address)
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case line := <-s.says:
			_, _ = io.WriteString(w, line)
		case <-r.Context().Done():
			return
		}
	}
}

func (s *raw) take(w http.ResponseWriter, r *http.Request) {
	s.note(r.Header)
	body, _ := io.ReadAll(r.Body) // what was cut is no message
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(body, &message)
	if message.Method == "tools/call" {
		s.mu.Lock()
		s.calls++
		s.mu.Unlock()
		if s.post != nil {
			s.post(w, r)
			return
		}
	}
	w.WriteHeader(http.StatusAccepted)
	switch {
	case message.Method == "initialize":
		s.says <- event(message.ID, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`)
	case message.ID != nil:
		s.says <- event(message.ID, `{}`)
	}
}

func event(id json.RawMessage, result string) string {
	return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, result)
}

// connect connects to a server with a token in its headers.
func connect(s *raw) (ports.Session, error) {
	GinkgoHelper()
	settings := json.RawMessage(`{"url":"` + s.URL + `/sse","headers":{"Authorization":"Bearer very-secret-token"}}`)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	session, err := newTransport().Connect(ctx, domain.Server{
		ID: domain.ServerID{Toolbox: "dev", Server: "far"}, Settings: settings, Configured: settings, Limits: domain.DefaultLimits(),
		Secrets: domain.Secrets{{Value: "Bearer very-secret-token", Shown: "***"}},
	}, contract.DeafHost{}, contract.OpenPolicy{})
	if err == nil {
		DeferCleanup(func() { Expect(session.Close(context.Background())).To(Succeed()) })
	}
	return session, err
}

// outcome is the result of a call, or its error.
type outcome struct {
	Result string
	Err    error
}

// use calls a tool and waits for what comes of it.
func use(session ports.Session) outcome {
	GinkgoHelper()
	outcomes := make(chan outcome, 2)
	session.CallTool(context.Background(), ports.ToolCall{Name: "read", Arguments: json.RawMessage("{}")}, func(answer ports.Answer, err error) {
		outcomes <- outcome{string(answer.Result), err}
	})
	var got outcome
	Eventually(outcomes).WithTimeout(patience).Should(Receive(&got))
	return got
}
