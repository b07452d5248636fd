package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Host is the host as servers reach it. It is made before the server, which
// connects it to a conversation. Safe for concurrent use.
type Host struct {
	log *slog.Logger

	mu           sync.Mutex
	conversation *conversation // nil before Serve and after it
	capabilities json.RawMessage
	initialized  bool // the host shook hands, so it takes requests
	logLevel     string
	lastQuestion uint64
	questions    map[string]*question // by the raw id that the host knows
	held         []*heldCall          // calls of hosts of 2026-07-28, oldest first
	listeners    []*listener
	answering    map[domain.ToolboxName]*answering
}

var _ ports.Host = (*Host)(nil)

// NewHost returns a host that nothing is known of yet.
func NewHost(log *slog.Logger) *Host {
	return &Host{
		log: log, capabilities: json.RawMessage("{}"),
		questions: map[string]*question{}, answering: map[domain.ToolboxName]*answering{},
	}
}

// join connects the host to a conversation, leave ends that.
func (h *Host) join(c *conversation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conversation = c
}

func (h *Host) leave() { h.join(nil) }

// Capabilities implements ports.Host.
func (h *Host) Capabilities() json.RawMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.capabilities
}

// declare notes what the host says that it can do, a raw object; anything else
// is nothing. A host of 2026-07-28 says it with every request.
func (h *Host) declare(capabilities json.RawMessage) {
	if jsonscan.Kind(capabilities) != '{' {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !bytes.Equal(h.capabilities, capabilities) {
		h.capabilities = bytes.Clone(capabilities)
	}
}

// shakeHands notes that the host opened the conversation in the way that lets
// servers ask it.
func (h *Host) shakeHands() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.initialized = true
}

// neededCapability is what a host has to declare to be asked.
var neededCapability = map[string]string{
	domain.MethodElicitationCreate:     "elicitation",
	domain.MethodSamplingCreateMessage: "sampling",
	domain.MethodListRoots:             "roots",
}

// Request implements ports.Host. A host with a handshake gets the request; one of
// 2026-07-28 gets it as the result of a call that is under way.
func (h *Host) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	needed, known := neededCapability[request.Method]
	if known && !jsonscan.HasMember(h.Capabilities(), needed) {
		reply(refusedAnswer(jsonrpc.CodeMethodNotFound, "the host does not support "+request.Method), nil)
		return
	}
	if call := h.heldFor(server); call != nil && known {
		call.ask(ctx, request, reply)
		return
	}
	h.mu.Lock()
	c, initialized := h.conversation, h.initialized
	h.mu.Unlock()
	switch {
	case c == nil:
		reply(refusedAnswer(jsonrpc.CodeInternal, "the host is gone"), nil)
	case initialized:
		h.question(ctx, c, request, reply)
	case known:
		reply(refusedAnswer(jsonrpc.CodeMethodNotFound, "the host can only be asked during a call"), nil)
	default:
		reply(refusedAnswer(jsonrpc.CodeMethodNotFound, "the host cannot be asked for "+request.Method), nil)
	}
}

func refusedAnswer(code int, message string) ports.Answer {
	return ports.Answer{Error: refusal(code, message).err}
}

// Notify implements ports.Host.
func (h *Host) Notify(server domain.ServerID, notification ports.Message) {
	h.mu.Lock()
	c, initialized := h.conversation, h.initialized
	h.mu.Unlock()
	if c == nil {
		return
	}
	switch notification.Method {
	case domain.MethodNotificationMessage:
		if params, wanted := h.logMessage(c, server, notification.Params); wanted {
			c.write(jsonrpc.Notification(notification.Method, params))
		}
	case domain.MethodNotificationPromptsListChanged, domain.MethodNotificationSubscriptionsAcknowledged:
		// The workbench shows no prompts, and subscribes for itself.
	default:
		if initialized {
			c.write(jsonrpc.Notification(notification.Method, notification.Params))
		}
		h.publish(c, notification)
	}
}
