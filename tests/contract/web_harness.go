package contract

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
)

// webHarness is scripted servers behind URLs.
type webHarness struct {
	transport ports.Transport
	start     func(script.Script) *remote.Server
	servers   []*remote.Server
}

// NewWebHarness returns a harness for a transport with the settings of package web, url and
// headers. Start starts a server that the transport can reach.
func NewWebHarness(transport ports.Transport, start func(script.Script) *remote.Server) Harness {
	return &webHarness{transport: transport, start: start}
}

func (h *webHarness) Transport() ports.Transport { return h.transport }

func (h *webHarness) Serve(s script.Script) json.RawMessage {
	server := h.start(s)
	DeferCleanup(server.Break)
	h.servers = append(h.servers, server)
	return json.RawMessage(`{"url":"` + server.URL() + `"}`)
}

func (h *webHarness) Unreachable() json.RawMessage {
	return json.RawMessage(`{"url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer x"}}`)
}

func (h *webHarness) Wrong() []Wrong {
	return []Wrong{
		{Because: "no address", Settings: `{}`, Keys: [][]string{{"url"}}},
		{Because: "an empty address", Settings: `{"url":""}`, Keys: [][]string{{"url"}}},
		{Because: "an address of another kind", Settings: `{"url":"file:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "an address without a host", Settings: `{"url":"http:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "an address whose host cannot be a name", Settings: `{"url":"https://bü_cher.example/mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "no object", Settings: `["x"]`, Keys: [][]string{nil}},
		{
			Because:  "headers that cannot be sent, and one that can",
			Settings: `{"url":7,"headers":{"A b":"x","Mcp-Session-Id":"x","C":1,"D":"a\r\nE: b","F":"right"}}`,
			Keys:     [][]string{{"url"}, {"headers", "A b"}, {"headers", "Mcp-Session-Id"}, {"headers", "C"}, {"headers", "D"}},
		},
		{Because: "null in place of values", Settings: `{"url":null,"headers":null}`, Keys: [][]string{{"url"}, {"headers"}}},
	}
}

func (h *webHarness) Break() {
	for _, server := range h.servers {
		server.Break()
	}
}

func (h *webHarness) Running() int {
	open := 0
	for _, server := range h.servers {
		open += server.Open()
	}
	return open
}
