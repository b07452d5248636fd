package workbenchtest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Host is a host of either era of the protocol in front of a workbench.
type Host struct {
	*Workbench
	// Modern is set for a host of 2026-07-28.
	Modern bool
	// Capabilities is the raw object that the host declares.
	Capabilities string
}

// Connect begins the conversation in the way of the host's era.
func Connect(w *Workbench, modern bool, capabilities string) Host {
	ginkgo.GinkgoHelper()
	if modern {
		w.skipRegisteredTools()
	} else {
		w.InitializeWith(capabilities)
	}
	return Host{Workbench: w, Modern: modern, Capabilities: capabilities}
}

// Params returns parameters with these raw members. Their _meta has further raw members and those
// of every request of the host.
func (h Host) Params(members string, meta ...string) string {
	if h.Modern {
		meta = append(meta, `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`,
			`"io.modelcontextprotocol/clientCapabilities":`+h.Capabilities,
			`"io.modelcontextprotocol/clientInfo":{"name":"spec","version":"1"}`)
	}
	if len(meta) > 0 {
		if members != "" {
			members += ","
		}
		members += `"_meta":{` + strings.Join(meta, ",") + `}`
	}
	return "{" + members + "}"
}

// Open opens a toolbox.
func (h Host) Open(toolbox string) Opened {
	ginkgo.GinkgoHelper()
	return h.Request("tools/call", h.Params(`"name":"open_toolbox","arguments":{"toolbox":`+Quote(toolbox)+`}`)).Opened()
}

// BeginUse begins to use a tool, with raw arguments and further raw members of
// _meta, and returns the id of the request.
func (h Host) BeginUse(toolbox, server, tool, arguments string, meta ...string) string {
	ginkgo.GinkgoHelper()
	return h.Begin("tools/call", h.Params(`"name":"use_tool","arguments":`+UseArguments(toolbox, server, tool, arguments), meta...))
}

// Use uses a tool, like BeginUse, and returns the answer.
func (h Host) Use(toolbox, server, tool, arguments string, meta ...string) Message {
	ginkgo.GinkgoHelper()
	return h.Await(h.BeginUse(toolbox, server, tool, arguments, meta...))
}

// Cancel cancels a request.
func (h Host) Cancel(id string) {
	ginkgo.GinkgoHelper()
	h.Notify("notifications/cancelled", `{"requestId":`+id+`}`)
}

// Sent returns the requests or notifications of one method that the workbench sent so far.
func (w *Workbench) Sent(method string) []Message {
	var messages []Message
	for _, m := range w.Received() {
		if m.Method == method {
			messages = append(messages, m)
		}
	}
	return messages
}

// AwaitSent waits until the workbench sent that many requests or notifications of one method, and
// returns the last of them.
func (w *Workbench) AwaitSent(method string, times int) Message {
	ginkgo.GinkgoHelper()
	return w.await(method, func() (Message, bool) {
		seen := 0
		for _, m := range w.received {
			if m.Method == method {
				if seen++; seen == times {
					return m, true
				}
			}
		}
		return Message{}, false
	})
}

// Reply answers a request of the workbench with a raw result.
func (w *Workbench) Reply(request Message, result string) {
	ginkgo.GinkgoHelper()
	w.Send(`{"jsonrpc":"2.0","id":` + string(request.ID) + `,"result":` + result + `}`)
}

// Refuse answers a request of the workbench with a raw error.
func (w *Workbench) Refuse(request Message, object string) {
	ginkgo.GinkgoHelper()
	w.Send(`{"jsonrpc":"2.0","id":` + string(request.ID) + `,"error":` + object + `}`)
}

// Member returns a raw member of the params.
func (m Message) Member(name string) string {
	ginkgo.GinkgoHelper()
	var members map[string]json.RawMessage
	gomega.Expect(json.Unmarshal(m.Params, &members)).To(gomega.Succeed(), "%.2000s", m.Line)
	return string(members[name])
}

// httpHost is a host over HTTP with the interface of one over pipes: each line that is written
// is sent as a POST, and answers come back as lines. It replaces the standard input of a
// workbench in features.
type httpHost struct {
	workbench *Workbench
	client    *http.Client
	url       string
	token     string         // "" for none
	responses sync.WaitGroup // those being read
	// isGuest means that the program keeps running when the host is done.
	isGuest bool

	mu      sync.Mutex
	session string
	modern  map[string]modernRequest // the requests of 2026-07-28 so far, by raw id
	closed  bool
}

// modernRequest is a request of 2026-07-28. Cutting its connection cancels it.
type modernRequest struct {
	cut     context.CancelFunc
	read    chan struct{} // closed when it has ended
	listens bool
}

// Write implements io.Writer: each line is a message.
func (h *httpHost) Write(lines []byte) (int, error) {
	for line := range bytes.Lines(lines) {
		if err := h.send(bytes.TrimRight(line, "\r\n")); err != nil {
			return 0, err
		}
	}
	return len(lines), nil
}

// Close ends the session and the program, like the end of the input of pipes. For a guest it
// ends only the session.
func (h *httpHost) Close() error {
	h.mu.Lock()
	closed, session := h.closed, h.session
	h.closed = true
	for _, modern := range h.modern {
		if h.isGuest || !modern.listens { // the workbench ends other listening requests
			modern.cut()
		}
	}
	h.mu.Unlock()
	if closed {
		return nil
	}
	if request, err := http.NewRequest(http.MethodDelete, h.url, nil); err == nil && session != "" {
		request.Header.Set("Mcp-Session-Id", session)
		h.authenticate(request)
		if response, err := h.client.Do(request); err == nil {
			_ = response.Body.Close() // it is empty
		}
	}
	if h.isGuest {
		return nil
	}
	return h.workbench.process.Process.Signal(syscall.SIGTERM)
}

// posted is the part of a message that is repeated in its headers.
type posted struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      json.RawMessage `json:"name"`
		URI       string          `json:"uri"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// send posts a message. It returns once the answer to a handshake was read, another request was
// written, or any other message was accepted.
func (h *httpHost) send(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if h.url == "" {
		return errors.New("the workbench does not listen")
	}
	var message posted
	_ = json.Unmarshal(line, &message) // a line that is not a message is posted too
	if message.Params.Meta.Version == "" && message.Method != "initialize" {
		if err := h.shakeHands(); err != nil {
			return err
		}
	}
	if message.Method == "notifications/cancelled" && h.cancel(message.Params.RequestID) {
		return nil
	}
	return h.post(line, message)
}

// handshake is the request for features without a handshake: over HTTP every request needs one.
const handshake = `{"jsonrpc":"2.0","id":"handshake","method":"initialize","params":` +
	`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}}`

// shakeHands makes a handshake if there was none and no request of 2026-07-28. The answer
// is not passed on.
func (h *httpHost) shakeHands() error {
	h.mu.Lock()
	needed := h.session == "" && len(h.modern) == 0 && !h.closed
	h.mu.Unlock()
	if !needed {
		return nil
	}
	var message posted
	_ = json.Unmarshal([]byte(handshake), &message) // it is a message
	return h.post([]byte(handshake), message)
}

// post posts a message, and waits like send.
func (h *httpHost) post(line []byte, message posted) error {
	ctx, cancel := context.WithCancel(context.Background())
	written := make(chan struct{})
	once := sync.OnceFunc(func() { close(written) })
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { once() }})
	modern := modernRequest{cut: cancel, read: make(chan struct{}), listens: message.Method == "subscriptions/listen"}
	request, err := h.request(ctx, modern, line, message)
	if err != nil {
		cancel()
		return err
	}
	h.responses.Go(func() {
		defer cancel()
		defer close(modern.read)
		defer once()
		h.read(request, message)
	})
	if message.ID != nil && message.Method != "" && message.Method != "initialize" {
		<-written
	} else {
		<-modern.read
	}
	if message.Method == "initialize" {
		h.listen()
	}
	return nil
}

// request returns the POST of a message. One of 2026-07-28 is recorded, so that it can be cut.
func (h *httpHost) request(ctx context.Context, modern modernRequest, line []byte, message posted) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(bytes.Clone(line)))
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	h.authenticate(request)
	if version := message.Params.Meta.Version; version != "" {
		request.Header.Set("Mcp-Protocol-Version", version)
		request.Header.Set("Mcp-Method", message.Method)
		var name string
		_ = json.Unmarshal(message.Params.Name, &name) // a name that is not a string is refused
		request.Header.Set("Mcp-Name", cmp.Or(name, message.Params.URI))
		h.modern[string(message.ID)] = modern
	} else if h.session != "" && message.Method != "initialize" {
		request.Header.Set("Mcp-Session-Id", h.session)
	}
	return request, nil
}

// authenticate adds the token to a request.
func (h *httpHost) authenticate(request *http.Request) {
	if h.token != "" {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
}

// cancel cuts the request of 2026-07-28 with that id, and reports whether there is one. A host that
// no longer listens gets nothing more.
func (h *httpHost) cancel(id json.RawMessage) bool {
	h.mu.Lock()
	modern, known := h.modern[string(id)]
	h.mu.Unlock()
	if known {
		modern.cut()
	}
	if modern.listens {
		<-modern.read
	}
	return known
}

// read makes a request and passes on the messages in the response.
func (h *httpHost) read(request *http.Request, message posted) {
	response, err := h.client.Do(request)
	if err != nil {
		return // cancelled, or the workbench is gone
	}
	defer response.Body.Close()
	body := output{response.Body, h.workbench}
	if id := response.Header.Get("Mcp-Session-Id"); id != "" && message.Method == "initialize" {
		h.mu.Lock()
		h.session = id
		h.mu.Unlock()
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		body, err := io.ReadAll(body)
		if err == nil && len(body) > 0 && string(message.ID) != `"handshake"` {
			h.workbench.receive(append(body, '\n'))
		}
		return
	}
	h.readEvents(body)
}

// readEvents passes on the messages of a stream.
func (h *httpHost) readEvents(body io.Reader) {
	lines := bufio.NewReaderSize(body, 1<<20)
	var data [][]byte
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // an incomplete message is ignored
		}
		line = bytes.TrimRight(line, "\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimPrefix(text, []byte(" ")))
		}
		if len(line) > 0 {
			continue
		}
		if message := bytes.Join(data, []byte(" ")); len(message) > 0 {
			h.workbench.receive(append(message, '\n'))
		}
		data = nil
	}
}

// listen reads messages that belong to no request.
func (h *httpHost) listen() {
	h.mu.Lock()
	session := h.session
	h.mu.Unlock()
	if session == "" {
		return // the handshake was refused
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, h.url, nil)
	if err != nil {
		return // the address was good enough for the handshake
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Mcp-Session-Id", session)
	h.authenticate(request)
	h.responses.Go(func() { h.read(request, posted{}) })
}
