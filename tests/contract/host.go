package contract

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

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
