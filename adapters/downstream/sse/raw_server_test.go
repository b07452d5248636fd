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
)

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
