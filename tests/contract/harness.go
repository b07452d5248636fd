package contract

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
)

// A Harness connects the kit to a kind of transport. Each spec creates its own, so a harness can
// use GinkgoT and DeferCleanup.
type Harness interface {
	// Transport returns the transport.
	Transport() ports.Transport
	// Serve starts a server that plays the script, and returns the settings that reach it. Each
	// connection is a new run of the script.
	Serve(s script.Script) json.RawMessage
	// Unreachable returns valid settings that reach no server.
	Unreachable() json.RawMessage
	// Wrong returns settings that the transport refuses.
	Wrong() []Wrong
	// Break ends all connections to the servers at once, as a crash would.
	Break()
	// Running counts the processes or connections that the transport keeps.
	Running() int
}

// Wrong are settings that a transport refuses.
type Wrong struct {
	// Because says what is wrong.
	Because  string
	Settings string
	// Keys are the keys of each wrong value, as in domain.SettingError.
	Keys [][]string
}

// host is a host that records its messages.
type host struct {
	mu           sync.Mutex
	capabilities string
	messages     []string
	asked        chan question
}

// question is a question of a server.
type question struct {
	ctx     context.Context //nolint:containedctx // specs check it
	server  domain.ServerID
	request ports.Message
	reply   ports.Reply
}

var _ ports.Host = (*host)(nil)

// OpenPolicy withholds nothing.
type OpenPolicy struct{}

// Withholds implements ports.ServerPolicy.
func (OpenPolicy) Withholds(string) bool { return false }

// LoginRefused implements ports.ServerPolicy.
func (OpenPolicy) LoginRefused() {}

// DeafHost hears nothing and refuses whatever it is asked.
type DeafHost struct{}

// Capabilities implements ports.Host.
func (DeafHost) Capabilities() json.RawMessage { return json.RawMessage("{}") }

// Notify implements ports.Host.
func (DeafHost) Notify(domain.ServerID, ports.Notification) {}

// Request implements ports.Host.
func (DeafHost) Request(_ context.Context, _ domain.ServerID, _ ports.Message, reply ports.Reply) {
	reply(ports.Answer{}, errors.New("deaf"))
}

func newHost() *host { return &host{capabilities: "{}", asked: make(chan question, 100)} }

// Capabilities implements ports.Host.
func (h *host) Capabilities() json.RawMessage { return json.RawMessage(h.capabilities) }

// Notify implements ports.Host.
func (h *host) Notify(server domain.ServerID, notification ports.Notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages = append(h.messages, string(server.Server)+" "+notification.Method+" "+string(notification.Params))
}

// heard returns the messages to the host: server, method and raw parameters.
func (h *host) heard() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.messages...)
}

// Request implements ports.Host.
func (h *host) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	request.Params = append(json.RawMessage(nil), request.Params...)
	h.asked <- question{ctx: ctx, server: server, request: request, reply: reply}
}

// DescribeTransport registers the specs for a kind of transport. Each spec calls
// newHarness once.
func DescribeTransport(kind string, newHarness func() Harness) bool {
	return describe(kind, "like every other,", false, newHarness)
}

// DescribeModernTransport registers the specs for a kind of transport once more, with
// servers that speak only 2026-07-28, and with expectations for that version.
func DescribeModernTransport(kind string, newHarness func() Harness) bool {
	return describe(kind, "like every other with servers of 2026-07-28,", true, newHarness)
}

func describe(kind, like string, modern bool, newHarness func() Harness) bool {
	return Describe("The transport "+kind+", "+like, func() {
		on := trial{modern: modern}
		BeforeEach(func() {
			on.harness = newHarness()
			on.setUp(kind)
			DeferCleanup(on.tearDown)
		})
		describeSettings(&on)
		describeConnecting(&on)
		describeListing(&on)
		describePrompts(&on)
		describeCalling(&on)
		describeGivingUp(&on)
		describeBounds(&on)
		describeMessages(&on)
		describeEnding(&on)
		if on.modern {
			describeInput(&on)
			return
		}
		describeOlderHandshake(&on)
		describeAnnouncing(&on)
		describeQuestions(&on)
		describeAskedToEnd(&on)
	})
}

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
		{Because: "an address of another kind", Settings: `{"url":"file:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "an address without a host", Settings: `{"url":"http:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "an address whose host cannot be a name", Settings: `{"url":"https://bü_cher.example/mcp"}`, Keys: [][]string{{"url"}}},
		{
			Because:  "headers that cannot be sent, and one that can",
			Settings: `{"url":7,"headers":{"A b":"x","Mcp-Session-Id":"x","C":1,"D":"a\r\nE: b","F":"right"}}`,
			Keys:     [][]string{{"headers", "A b"}, {"headers", "Mcp-Session-Id"}, {"headers", "D"}},
		},
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
