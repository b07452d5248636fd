package workbenchtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Message is a message from the workbench, with raw values.
type Message struct {
	// Line is the whole message, without its end.
	Line   string          `json:"-"`
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// parseMessage parses a line of standard output. Anything but one message
// breaks the protocol.
func parseMessage(line []byte) (Message, error) {
	var envelope struct {
		Version string `json:"jsonrpc"`
		Message
	}
	if !utf8.Valid(line) {
		return Message{}, errors.New("the line is not UTF-8")
	}
	if err := json.Unmarshal(line, &envelope); err != nil {
		return Message{}, fmt.Errorf("the line is not a message: %w", err)
	}
	m := envelope.Message
	m.Line = string(line)
	members := 0
	for _, given := range []bool{m.Method != "", m.Result != nil, m.Error != nil} {
		if given {
			members++
		}
	}
	if envelope.Version != "2.0" || members != 1 {
		return Message{}, errors.New("the line is not a JSON-RPC 2.0 message")
	}
	return m, nil
}

// toolResult has the members of a tool's result that specs check.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

func (m Message) toolResult() toolResult {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Result).NotTo(gomega.BeNil(), "this is not a result: %.2000s", m.Line)
	var result toolResult
	gomega.Expect(json.Unmarshal(m.Result, &result)).To(gomega.Succeed())
	return result
}

// Text returns the only text of a tool's result, which is not a failure.
func (m Message) Text() string {
	ginkgo.GinkgoHelper()
	result := m.toolResult()
	gomega.Expect(result.IsError).To(gomega.BeFalse(), "this is a failure: %.2000s", m.Line)
	return result.onlyText(m)
}

// IsFailure reports whether a tool's result is a failure.
func (m Message) IsFailure() bool {
	ginkgo.GinkgoHelper()
	return m.toolResult().IsError
}

// Failure returns the one text of a tool's result that is a failure.
func (m Message) Failure() string {
	ginkgo.GinkgoHelper()
	result := m.toolResult()
	gomega.Expect(result.IsError).To(gomega.BeTrue(), "this is not a failure: %.2000s", m.Line)
	return result.onlyText(m)
}

func (r toolResult) onlyText(m Message) string {
	ginkgo.GinkgoHelper()
	gomega.Expect(r.Content).To(gomega.HaveLen(1), "%.2000s", m.Line)
	gomega.Expect(r.Content[0].Type).To(gomega.Equal("text"), "%.2000s", m.Line)
	return r.Content[0].Text
}

// Code returns the code of a message that is a JSON-RPC error.
func (m Message) Code() int {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Error).NotTo(gomega.BeNil(), "this is not an error: %.2000s", m.Line)
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	gomega.Expect(json.Unmarshal(m.Error, &failure)).To(gomega.Succeed())
	gomega.Expect(failure.Message).NotTo(gomega.BeEmpty(), "%.2000s", m.Line)
	return failure.Code
}

// Decode reads the result into a value.
func (m Message) Decode(into any) {
	ginkgo.GinkgoHelper()
	gomega.Expect(m.Result).NotTo(gomega.BeNil(), "this is not a result: %.2000s", m.Line)
	gomega.Expect(json.Unmarshal(m.Result, into)).To(gomega.Succeed())
}

// exchangePrefix is the prefix of the ids of exchanges only.
const exchangePrefix = `"exchange-`

// Exchange calls one of the two tools of the workbench and returns the answer. Unlike
// Call it is for hosts that make very many calls: it keeps no messages, and returns
// failures, so that it can be called on any goroutine. An answer that
// is not awaited fails the spec at its end.
func (w *Workbench) Exchange(tool, arguments string) (Message, error) {
	answer := make(chan Message, 1)
	w.mu.Lock()
	w.asked++
	id := exchangePrefix + strconv.Itoa(w.asked) + `"`
	w.waiting[id] = answer
	w.mu.Unlock()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":%s}}`,
		id, Quote(tool), arguments)
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		return Message{}, fmt.Errorf("write request %s: %w", id, err)
	}
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	select {
	case m := <-answer:
		return m, nil
	case <-w.ended:
		return Message{}, errors.New("the workbench ended without the answer to request " + id)
	case <-patience.C:
		return Message{}, fmt.Errorf("no answer to request %s within %s", id, Patience)
	}
}

// answered passes the answer to an exchange to the goroutine that waits for it, and reports
// whether it was such an answer.
func (w *Workbench) answered(m Message) bool {
	id := string(m.ID)
	if m.Method != "" || !strings.HasPrefix(id, exchangePrefix) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	answer := w.waiting[id]
	delete(w.waiting, id)
	if answer == nil {
		w.noise = append(w.noise, fmt.Sprintf("an answer without a request: %.500q", m.Line))
		return true
	}
	answer <- m
	return true
}

// UseExchange makes an Exchange with use_tool.
func (w *Workbench) UseExchange(toolbox, server, tool, arguments string) (Message, error) {
	return w.Exchange("use_tool", UseArguments(toolbox, server, tool, arguments))
}

// maxShown is the length to which a transcript cuts each piece.
const maxShown = 2000

// transcript has the lines on the pipes of a workbench, in order.
type transcript struct{ pieces []string }

func (t *transcript) note(speaker, what string) {
	if len(what) > maxShown {
		what = fmt.Sprintf("%s… (%d bytes)\n", what[:maxShown], len(what))
	}
	t.pieces = append(t.pieces, speaker+": "+what)
}

func (w *Workbench) note(speaker, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.script.note(speaker, what)
}

// report prints, for a failed spec, the messages from and to its workbench.
func (w *Workbench) report() {
	if !ginkgo.CurrentSpecReport().Failed() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ginkgo.AddReportEntry("the conversation", strings.Join(w.script.pieces, ""))
	ginkgo.AddReportEntry("standard error", w.errors.text())
}

// dumpTime is the longest time a workbench may take to write where its goroutines are.
const dumpTime = 5 * time.Second

// dump ends a silent workbench, and shows where its goroutines and those of the spec
// were. Go programs write that to standard error at SIGQUIT, which
// Windows does not have.
func (w *Workbench) dump() {
	var own strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&own, 2) // a strings.Builder takes everything
	ginkgo.AddReportEntry("the goroutines of the spec", own.String())
	if w.process.Process.Signal(syscall.SIGQUIT) != nil {
		return // it is gone, or this is Windows
	}
	w.judged = true
	select {
	case <-w.ended:
	case <-time.After(dumpTime):
	}
}

// stderr is the standard error of a workbench: a file, so that what the workbench wrote before its answer is
// there when the answer is. Safe for concurrent use.
type stderr struct{ path string }

// newStderr returns an empty file, and the same file opened for the process of a workbench.
func newStderr() (*stderr, *os.File) {
	ginkgo.GinkgoHelper()
	s := &stderr{filepath.Join(ginkgo.GinkgoT().TempDir(), "stderr")}
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	ginkgo.DeferCleanup(file.Close)
	return s, file
}

func (s *stderr) text() string {
	written, err := os.ReadFile(s.path)
	if err != nil {
		return "the standard error cannot be read: " + err.Error()
	}
	return string(written)
}

// ModernMeta are the raw members in the _meta of every request of 2026-07-28.
const ModernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"spec","version":"1"}}`

// Begin sends a request and returns its id.
func (w *Workbench) Begin(method, params string) string {
	ginkgo.GinkgoHelper()
	w.mu.Lock()
	w.lastID++
	id := strconv.Itoa(w.lastID)
	w.mu.Unlock()
	w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}`, id, Quote(method), params))
	return id
}

// Request sends a request and returns its answer.
func (w *Workbench) Request(method, params string) Message {
	ginkgo.GinkgoHelper()
	return w.Await(w.Begin(method, params))
}

// RequestModern sends a request of 2026-07-28, params as raw members, and returns
// its answer.
func (w *Workbench) RequestModern(method, members string) Message {
	ginkgo.GinkgoHelper()
	w.skipRegisteredTools()
	if members != "" {
		members += ","
	}
	return w.Request(method, `{`+members+`"_meta":`+ModernMeta+`}`)
}

// Notify sends a notification.
func (w *Workbench) Notify(method, params string) {
	ginkgo.GinkgoHelper()
	w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%s,"params":%s}`, Quote(method), params))
}

// Initialize makes the handshake of versions before 2026-07-28, as a host without
// capabilities, and returns the answer.
func (w *Workbench) Initialize() Message {
	ginkgo.GinkgoHelper()
	return w.InitializeWith(`{}`)
}

// InitializeWith makes the handshake as a host with these raw capabilities.
func (w *Workbench) InitializeWith(capabilities string) Message {
	ginkgo.GinkgoHelper()
	answer := w.Request("initialize",
		`{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
	gomega.Expect(answer.Error).To(gomega.BeNil())
	w.Notify("notifications/initialized", `{}`)
	return answer
}

// Call calls one of the two tools of the workbench.
func (w *Workbench) Call(tool, arguments string) Message {
	ginkgo.GinkgoHelper()
	return w.Await(w.BeginCall(tool, arguments))
}

// BeginCall begins a Call, and returns the id of the request.
func (w *Workbench) BeginCall(tool, arguments string) string {
	ginkgo.GinkgoHelper()
	return w.Begin("tools/call", fmt.Sprintf(`{"name":%s,"arguments":%s}`, Quote(tool), arguments))
}

// Opened is an answer of open_toolbox.
type Opened struct {
	// JSON is the raw answer.
	JSON         string            `json:"-"`
	Connected    int               `json:"servers_connected"`
	Tools        []json.RawMessage `json:"tools"`
	Instructions json.RawMessage   `json:"instructions"`
	Errors       []string          `json:"_errors"`
	Warnings     []string          `json:"_warnings"`
}

// Open opens a toolbox.
func (w *Workbench) Open(toolbox string) Opened {
	ginkgo.GinkgoHelper()
	return w.Call("open_toolbox", `{"toolbox":`+Quote(toolbox)+`}`).Opened()
}

// Opened reads a message as the answer of open_toolbox.
func (m Message) Opened() Opened {
	ginkgo.GinkgoHelper()
	opened := Opened{JSON: m.Text()}
	gomega.Expect(json.Unmarshal([]byte(opened.JSON), &opened)).To(gomega.Succeed(), "%.2000s", opened.JSON)
	return opened
}

// Names returns the names of the tools in order.
func (o Opened) Names() []string {
	ginkgo.GinkgoHelper()
	names := make([]string, len(o.Tools))
	for i, definition := range o.Tools {
		var tool struct{ Name string }
		gomega.Expect(json.Unmarshal(definition, &tool)).To(gomega.Succeed())
		names[i] = tool.Name
	}
	return names
}

// Use uses a tool of an opened toolbox, with raw arguments.
func (w *Workbench) Use(toolbox, server, tool, arguments string) Message {
	ginkgo.GinkgoHelper()
	return w.Await(w.BeginUse(toolbox, server, tool, arguments))
}

// BeginUse begins a Use, and returns the id of the request.
func (w *Workbench) BeginUse(toolbox, server, tool, arguments string) string {
	ginkgo.GinkgoHelper()
	return w.BeginCall("use_tool", UseArguments(toolbox, server, tool, arguments))
}

// UseArguments returns the arguments of use_tool.
func UseArguments(toolbox, server, tool, arguments string) string {
	return fmt.Sprintf(`{"tool":{"toolbox":%s,"server":%s,"tool":%s},"arguments":%s}`,
		Quote(toolbox), Quote(server), Quote(tool), arguments)
}
