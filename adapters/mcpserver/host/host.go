package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Connection carries messages to one host. Safe for concurrent use.
type Connection interface {
	// Write writes a message. It may wait for a host that does not read.
	Write(frame jsonrpc.Frame)
	// TryWrite writes a message without waiting, or returns why it could not.
	TryWrite(frame jsonrpc.Frame) error
}

// Host is one host. It is made before its connection, since sessions with servers
// need it first. Safe for concurrent use.
type Host struct {
	log           *slog.Logger
	requests      requests
	rounds        inputRounds
	subscriptions subscriptions
	levels        logLevels
	changes       listChanges
	accompanied   accompanied
	secret        string // of the host, in ids of the workbench's own

	mu           sync.Mutex
	connection   Connection // nil before Connect and after Disconnect
	capabilities json.RawMessage
	initialized  bool // the host made the handshake, so servers may send it requests
}

var (
	_ ports.Host           = (*Host)(nil)
	_ ports.RestartWatcher = (*Host)(nil)
	_ ports.ToolWatcher    = (*Host)(nil)
	_ ports.LoginPrompter  = (*Host)(nil)
)

// New returns a host that is not connected and has declared nothing.
func New(log *slog.Logger) *Host {
	return &Host{
		log: log, capabilities: json.RawMessage("{}"), secret: rand.Text(),
		requests: requests{log: log, inFlight: jsonrpc.NewInFlight[*pendingRequest, struct{}]()},
		changes:  listChanges{pending: map[domain.ToolboxName]*pendingAnswers{}},
	}
}

// Connect makes the connection the one that messages leave through.
func (h *Host) Connect(c Connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connection = c
}

// Disconnect ends that, for good. What is for the host from now on is dropped or refused.
// Nobody can continue a call that waits for input of the host any more, so these end.
func (h *Host) Disconnect() {
	h.Connect(nil)
	h.rounds.endAll()
}

// Capabilities implements ports.Host.
func (h *Host) Capabilities() json.RawMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.capabilities
}

// Declare records what the host says it can do, a raw object; anything else is
// ignored. A host of 2026-07-28 declares it with every request.
func (h *Host) Declare(capabilities json.RawMessage) {
	if rawjson.Kind(capabilities) != '{' {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !bytes.Equal(h.capabilities, capabilities) {
		h.capabilities = bytes.Clone(capabilities)
	}
}

// Initialize records that the host made the handshake: it takes requests and
// notifications.
func (h *Host) Initialize() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.initialized = true
}

// connected returns the connection, nil if there is none, and whether the host made
// the handshake.
func (h *Host) connected() (c Connection, initialized bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.connection, h.initialized
}

// requiredCapability maps the methods of requests that a host may get to the capability that it
// must declare for them.
var requiredCapability = map[string]string{
	domain.MethodElicitationCreate:     "elicitation",
	domain.MethodSamplingCreateMessage: "sampling",
	domain.MethodListRoots:             "roots",
}

// Request implements ports.Host. A host with a handshake gets the request itself; a
// host of 2026-07-28 gets it in the result of a call to the same server.
func (h *Host) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	capability, known := requiredCapability[request.Method]
	if !known {
		h.log.Debug("refused a request of a server, since hosts get no requests of that kind",
			"toolbox", server.Toolbox, "server", server.Server, "method", domain.ShownText(request.Method))
		reply(refused(jsonrpc.CodeMethodNotFound, "the host cannot be asked for "+request.Method), nil)
		return
	}
	if !rawjson.HasMember(h.Capabilities(), capability) {
		reply(refused(jsonrpc.CodeMethodNotFound, "the host does not support "+request.Method), nil)
		return
	}
	request = attributed(server, request)
	if call := h.rounds.find(server); call != nil {
		call.request(ctx, request, reply)
		return
	}
	c, initialized := h.connected()
	switch {
	case c == nil:
		reply(refused(jsonrpc.CodeInternal, "the host is gone"), nil)
	case initialized:
		h.requests.send(ctx, h.accompanied.connection(server, c), request, reply)
	default:
		reply(refused(jsonrpc.CodeMethodNotFound, "the host can only be asked during a call"), nil)
	}
}

// refused is the answer to a request that does not reach the host.
func refused(code int, message string) ports.Answer {
	return ports.Answer{Error: jsonrpc.ErrorObject(code, message)}
}

// Answered takes the host's answer to a request of a server. The bytes are needed
// until it returns.
func (h *Host) Answered(message jsonrpc.Message) { h.requests.answered(message) }

// Notify implements ports.Host.
func (h *Host) Notify(server domain.ServerID, notification ports.Message) {
	c, initialized := h.connected()
	if c == nil {
		return
	}
	switch notification.Method {
	case domain.MethodNotificationMessage:
		h.notifyLog(c, initialized, server, notification)
	case domain.MethodNotificationPromptsListChanged:
		if !h.changes.postpone(server.Toolbox, promptList) {
			h.reportChanged(promptList)
		}
	case domain.MethodNotificationSubscriptionsAcknowledged:
		// Its subscriptions are the workbench's own.
	case domain.MethodNotificationElicitationComplete:
		if initialized {
			c.Write(jsonrpc.Notification(notification.Method, withOwnID(server, rawjson.Distinct(notification.Params, elicitationID))))
		}
	default:
		if initialized {
			c.Write(jsonrpc.Notification(notification.Method, notification.Params))
		}
		h.subscriptions.publish(notification)
	}
}

// Restarted implements ports.RestartWatcher, by a log message.
func (h *Host) Restarted(server domain.ServerID, why error) {
	params := rawjson.Object{}.Text("level", "warning").Text("data", wording.Restarted(server, why)).JSON()
	h.Notify(server, ports.Message{Method: domain.MethodNotificationMessage, Params: params})
}

// notifyLog passes a log message on, if the host or one of its requests wants it.
func (h *Host) notifyLog(c Connection, initialized bool, server domain.ServerID, notification ports.Message) {
	if initialized {
		if h.levels.wants(notification.Params) {
			h.accompanied.connection(server, c).Write(jsonrpc.Notification(notification.Method, labelled(server, notification.Params)))
		}
		return
	}
	if c = h.levels.listener(server, notification.Params); c != nil {
		c.Write(jsonrpc.Notification(notification.Method, labelled(server, notification.Params)))
	}
}

// labelled returns the parameters of a log message with the server in front of the
// logger.
func labelled(server domain.ServerID, params json.RawMessage) json.RawMessage {
	logger := ServerPath(server)
	if own := rawjson.Text(rawjson.Member(params, "logger")); own != "" {
		logger += "/" + own
	}
	return rawjson.With(rawjson.Distinct(params, "logger"), "logger", rawjson.Quote(logger))
}
