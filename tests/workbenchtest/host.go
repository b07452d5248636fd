package workbenchtest

import (
	"encoding/json"
	"strings"

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
