package host

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

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

// Host is one host. It exists before its connection, since sessions with servers need it first.
// Safe for concurrent use.
type Host struct {
	log           *slog.Logger
	requests      requests
	calls         entries[*Call] // that are under way
	subscriptions entries[*Subscription]
	logRequests   entries[*logRequest]
	accompanied   entries[*accompaniedRequest]
	changes       listChanges
	secret        string // part of the workbench's own ids for the host

	mu           sync.Mutex
	connection   Connection // nil before Connect and after Disconnect
	disconnected bool
	capabilities json.RawMessage
	initialized  bool   // the host made the handshake, so it accepts requests and notifications
	logLevel     string // of a host with a handshake, "" until it sets one
}

var (
	_ ports.Host                 = (*Host)(nil)
	_ ports.RequestTaker         = (*Host)(nil)
	_ ports.RestartWatcher       = (*Host)(nil)
	_ ports.ToolWatcher          = (*Host)(nil)
	_ ports.LoginPrompter        = (*Host)(nil)
	_ ports.ConfigurationWatcher = (*Host)(nil)
)

// New returns a host that is not connected and has declared nothing.
func New(log *slog.Logger) *Host {
	return &Host{
		log: log, capabilities: json.RawMessage("{}"), secret: rand.Text(),
		requests: requests{log: log, inFlight: jsonrpc.NewInFlight[*pendingRequest, struct{}]()},
		changes:  listChanges{pending: map[domain.ToolboxName]*pendingAnswers{}},
	}
}

// Connect sets the connection through which messages leave.
func (h *Host) Connect(c Connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connection = c
}

// Disconnect removes the connection for good. Later messages for the host are dropped or
// refused. The calls that are under way, and later ones, end, since the host cannot continue them.
func (h *Host) Disconnect() {
	h.mu.Lock()
	h.connection, h.disconnected = nil, true
	h.mu.Unlock()
	for _, call := range h.calls.values() {
		call.end()
	}
}

func (h *Host) isDisconnected() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.disconnected
}

// Capabilities implements ports.Host.
func (h *Host) Capabilities() json.RawMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.capabilities
}

// Declare records the capabilities of the host, a raw object; anything else is ignored. A host
// of 2026-07-28 declares them with every request.
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

// Initialize records that the host made the handshake.
func (h *Host) Initialize() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.initialized = true
}

// IsInitialized reports whether the host made the handshake.
func (h *Host) IsInitialized() bool {
	_, initialized := h.connected()
	return initialized
}

// TakesRequests implements ports.RequestTaker: hosts of versions with a handshake do.
func (h *Host) TakesRequests() bool { return h.IsInitialized() }

// connected returns the connection, nil if there is none, and reports whether the host made the
// handshake.
func (h *Host) connected() (c Connection, initialized bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.connection, h.initialized
}

// requiredCapability maps the methods of requests that a host can get to the capability that it
// must declare for them.
var requiredCapability = map[mcp.MCPMethod]string{
	mcp.MethodElicitationCreate:     "elicitation",
	mcp.MethodSamplingCreateMessage: "sampling",
	mcp.MethodListRoots:             "roots",
}

// Request implements ports.Host. A host with a handshake gets the request itself; a
// host of 2026-07-28 gets it in the result of a call to the same server, or, if it is for the roots, of the opening
// of its toolbox.
func (h *Host) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	capability, known := requiredCapability[mcp.MCPMethod(request.Method)]
	if !known {
		h.log.Debug("refused a request of a server, since hosts do not get this kind of request",
			"toolbox", server.Toolbox, "server", server.Server, "method", domain.ShownText(request.Method))
		reply(refusal(mcp.METHOD_NOT_FOUND, "the host cannot be asked for "+request.Method), nil)
		return
	}
	if !rawjson.HasMember(h.Capabilities(), capability) {
		reply(refusal(mcp.METHOD_NOT_FOUND, "the host does not support "+request.Method), nil)
		return
	}
	request = attributed(server, request)
	asked := []domain.ServerID{server}
	if mcp.MCPMethod(request.Method) == mcp.MethodListRoots {
		// Decision: while a toolbox is opened, its servers get the roots, which hosts know without their user. Many ask
		// for them as soon as they are up, and never again. Questions to the user or the model wait for a call.
		asked = append(asked, OpeningOf(server.Toolbox))
	}
	if call := h.callTo(asked...); call != nil {
		call.request(ctx, request, reply)
		return
	}
	c, initialized := h.connected()
	switch {
	case c == nil:
		reply(refusal(mcp.INTERNAL_ERROR, "the host is gone"), nil)
	case initialized:
		h.requests.send(ctx, h.connectionFor(server, c), request, reply)
	default:
		reply(refusal(mcp.METHOD_NOT_FOUND, "the host can only be asked during a call"), nil)
	}
}

// refusal returns the answer to a request that does not reach the host.
func refusal(code int, message string) ports.Answer {
	return ports.Answer{Error: jsonrpc.ErrorObject(code, message)}
}

// Answered handles the host's answer to a request of a server. It does not keep the message.
func (h *Host) Answered(message jsonrpc.Message) { h.requests.answered(message) }

// Notify implements ports.Host.
func (h *Host) Notify(server domain.ServerID, told ports.Notification) {
	c, initialized := h.connected()
	if c == nil {
		return
	}
	notification := ports.Message{Method: cmp.Or(told.Method, ownNotifications[told.Kind]), Params: told.Params}
	switch method := mcp.MCPMethod(notification.Method); method {
	case mcp.MethodNotificationMessage:
		h.notifyLog(c, initialized, server, notification)
	case mcp.MethodNotificationPromptsListChanged:
		h.listChanged(server.Toolbox, method)
	case mcp.MethodNotificationSubscriptionsAcknowledged:
		// The host does not know about these subscriptions: the workbench made them.
	case mcp.MethodNotificationElicitationComplete:
		if initialized {
			c.Write(jsonrpc.Notification(method, withOwnID(server, rawjson.Distinct(notification.Params, elicitationID))))
		}
	default:
		if initialized {
			c.Write(jsonrpc.Notification(method, notification.Params))
		}
		h.publish(notification)
	}
}

// ownNotifications are the methods of the notifications that the workbench makes itself.
var ownNotifications = map[ports.NotificationKind]string{
	ports.PromptsChanged:   mcp.MethodNotificationPromptsListChanged,
	ports.ResourcesChanged: mcp.MethodNotificationResourcesListChanged,
	ports.ResourceUpdated:  mcp.MethodNotificationResourceUpdated,
}

// Restarted implements ports.RestartWatcher with a log message.
func (h *Host) Restarted(server domain.ServerID, why error) {
	params := rawjson.Object{}.Text("level", "warning").Text("data", wording.Restarted(server, why)).JSON()
	h.Notify(server, ports.Notification{Kind: ports.LogMessage, Method: string(mcp.MethodNotificationMessage), Params: params})
}

// ConfigurationRead implements ports.ConfigurationWatcher. Only a host with a handshake gets a log
// message: a host of 2026-07-28 asks for log messages with each request, and this message belongs to none.
func (h *Host) ConfigurationRead(read domain.ConfigurationRead) {
	if read.ToolsChanged {
		h.reportChanged(mcp.MethodNotificationToolsListChanged)
	}
	level := "info"
	if read.Failed || read.Withheld {
		level = "warning"
	}
	params := rawjson.Object{}.Text("level", level).Text("logger", "mcp-workbench").Text("data", read.Text).JSON()
	if c, initialized := h.connected(); c != nil && initialized && h.wantsLog(params) {
		c.Write(jsonrpc.Notification(mcp.MethodNotificationMessage, params))
	}
}

// NumberAfter makes the ids of requests to the host begin after id, since the host may still answer requests
// of an earlier workbench. It must be called before Connect.
func (h *Host) NumberAfter(id uint64) { h.requests.beginAfter(id) }
