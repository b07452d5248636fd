package streamablehttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/spec"
)

// patience is the time a spec waits for something that must happen.
const patience = 20 * time.Second

// heard is a request that a raw server got.
type heard struct {
	verb, method string
	header       http.Header
	body         string
}

// handler answers one request; id is the raw one of its message.
type handler func(w http.ResponseWriter, r *http.Request, id string)

// raw is a server that answers with raw bytes. Without a handler of the spec's it
// is a well-behaved one of 2025-11-25 whose sessions are numbered.
type raw struct {
	*httptest.Server
	connections *connections

	mu       sync.Mutex
	on       map[string]handler // by method of the message, else by verb
	requests []heard
	sessions int
}

func newRaw(on map[string]handler) *raw {
	r := &raw{on: on, connections: &connections{open: map[net.Conn]http.ConnState{}}}
	r.Server = httptest.NewUnstartedServer(r)
	r.Config.ConnState = r.connections.note
	r.Start()
	DeferCleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

// ServeHTTP implements http.Handler.
func (s *raw) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what was cut is no message
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(body, &message)
	s.mu.Lock()
	s.requests = append(s.requests, heard{r.Method, message.Method, r.Header.Clone(), string(body)})
	handle, ok := s.on[message.Method]
	if !ok {
		handle = s.on[r.Method]
	}
	s.mu.Unlock()
	if handle != nil {
		handle(w, r, string(message.ID))
		return
	}
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case message.Method == "initialize":
		s.mu.Lock()
		s.sessions++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", s.sessions))
		s.mu.Unlock()
		answer(w, string(message.ID), `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"raw","version":"1"}}`)
	case message.ID != nil && message.Method != "":
		answer(w, string(message.ID), `{}`)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// handle answers messages of a method from now on.
func (s *raw) handle(method string, handle handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on[method] = handle
}

// heard returns the requests of a method, or of a verb without a message.
func (s *raw) heard(method string) []heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(h heard) bool {
		return h.method != method && (h.method != "" || h.verb != method)
	})
}

func answer(w http.ResponseWriter, id, result string) {
	w.Header().Set("Content-Type", "application/json")
	write(w, `{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`)
}

func refuse(w http.ResponseWriter, status int, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	write(w, body)
}

// stream begins a stream of events; each text is one, as it stands.
func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		write(w, event+"\n\n")
	}
	_ = http.NewResponseController(w).Flush()
}

func write(w http.ResponseWriter, text string) { _, _ = io.WriteString(w, text) }

func event(id, result string) string {
	return `data: {"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// cut ends the connection of a response in its middle.
func cut() { panic(http.ErrAbortHandler) }

// host is a host that notes what it is told.
type host struct {
	mu       sync.Mutex
	messages []string
}

func (*host) Capabilities() json.RawMessage { return json.RawMessage("{}") }

func (h *host) Notify(_ domain.ServerID, notification ports.Notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages = append(h.messages, notification.Method)
}

func (h *host) heard() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.messages)
}

func (*host) Request(_ context.Context, _ domain.ServerID, _ ports.Message, reply ports.Reply) {
	reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
}

// connecting connects to a URL with headers.
func connecting(url string, headers map[string]string, on *host) (ports.Session, error) {
	GinkgoHelper()
	settings := spec.Must(json.Marshal(map[string]any{"url": url, "headers": headers}))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	limits := domain.DefaultLimits()
	limits.MessageSize = 64 << 10
	server := domain.Server{
		ID: domain.ServerID{Toolbox: "dev", Server: "far"}, Settings: settings, Configured: settings, Limits: limits,
	}
	for _, value := range headers {
		server.Secrets = append(server.Secrets, domain.Secret{Value: value, Shown: "***"})
	}
	session, err := newTransport().Connect(ctx, server, on, contract.OpenPolicy{})
	if err == nil {
		DeferCleanup(func() { closeSession(session) })
	}
	return session, err
}

// connect connects to a raw server that must be reachable.
func connect(s *raw) ports.Session {
	GinkgoHelper()
	return spec.Must(connecting(s.URL, nil, &host{}))
}

func closeSession(session ports.Session) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	Expect(session.Close(ctx)).To(Succeed())
}

// outcome is the result of a call, or its error.
type outcome struct {
	Result, Failure string
	Err             error
}

func begin(ctx context.Context, session ports.Session, call ports.ToolCall) <-chan outcome {
	outcomes := make(chan outcome, 2)
	session.CallTool(ctx, call, func(answer ports.Answer, err error) {
		outcomes <- outcome{string(answer.Result), string(answer.Error), err}
	})
	return outcomes
}

// use calls a tool and waits for what comes of it.
func use(session ports.Session, tool string) outcome {
	GinkgoHelper()
	var got outcome
	Eventually(begin(context.Background(), session, ports.ToolCall{Name: tool, Arguments: json.RawMessage(`{"a":1}`)})).
		WithTimeout(patience).Should(Receive(&got))
	return got
}
