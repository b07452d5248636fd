package workbenchtest

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

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
