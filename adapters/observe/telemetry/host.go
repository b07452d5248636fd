package telemetry

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/application/activity"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Host records the requests of one host. A nil Host records nothing. Safe for concurrent use.
type Host struct {
	telemetry          *Telemetry
	transport, session string
	begun              time.Time
}

// The values of network.transport.
const (
	overPipe = "pipe"
	overTCP  = "tcp"
)

// NewHost returns a host, on standard input and output or over HTTP. The argument session is the part of the session
// id that may be shown, "" for none.
func (t *Telemetry) NewHost(isOverHTTP bool, session string) *Host {
	if t == nil {
		return nil
	}
	host := &Host{telemetry: t, transport: overPipe, session: session, begun: time.Now()}
	if isOverHTTP {
		host.transport = overTCP
	}
	return host
}

// Close counts the ended session of the host.
func (h *Host) Close() {
	if h != nil {
		h.telemetry.count(operation{metric: serverSessions, transport: h.transport}, time.Since(h.begun))
	}
}

// ToolUser returns a tool user that records the calls to another one. The contexts that the other one gets have the
// spans.
func (h *Host) ToolUser(next ports.ToolUser) ports.ToolUser {
	if h == nil {
		return next
	}
	return &toolUser{next: next, host: h}
}

// ToolboxOpener returns an opener that records the openings by another one.
func (h *Host) ToolboxOpener(next ports.ToolboxOpener) ports.ToolboxOpener {
	if h == nil {
		return next
	}
	return &toolboxOpener{next: next, host: h}
}

// begin begins the span of a host's call. Its parent is the span in _meta, and the span of the transport is linked.
// Without a span in _meta, the one of the transport is the parent (semantic conventions for MCP, "Context
// propagation").
func (h *Host) begin(ctx context.Context, meta json.RawMessage) *span {
	parent, transport := parentIn(meta), parseTraceparent(ports.TransportTraceOf(ctx))
	if !parent.isValid() {
		parent, transport = transport, spanContext{}
	}
	return h.telemetry.begin(kindServer, parent, transport, operation{
		metric: serverOperations, method: mcp.MethodToolsCall, transport: h.transport,
	})
}

// spanKey is the key of the current span in a context.
type spanKey struct{}

type toolUser struct {
	next ports.ToolUser
	host *Host
}

// UseTool implements ports.ToolUser.
func (u *toolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	begun := u.host.begin(ctx, call.Meta)
	u.next.UseTool(context.WithValue(ctx, spanKey{}, begun.spanContext), tool, call, func(answer ports.Answer, err error) {
		if !activity.IsUnknown(err) { // a caller can make up any number of names
			begun.operation = begun.operation.about(tool)
		}
		outcome, code := activity.Outcome(answer, err)
		begun.end(outcome, code, u.host.session)
		reply(answer, err)
	})
}

type toolboxOpener struct {
	next ports.ToolboxOpener
	host *Host
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *toolboxOpener) OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error) {
	if ctx.Value(spanKey{}) != nil { // a call that has a span opens the toolbox
		return o.next.OpenToolbox(ctx, toolbox)
	}
	begun := o.host.begin(ctx, ports.MetaOf(ctx))
	opened, err := o.next.OpenToolbox(context.WithValue(ctx, spanKey{}, begun.spanContext), toolbox)
	begun.operation.tool = domain.ToolOpenToolbox
	if !activity.IsUnknown(err) {
		begun.operation.toolbox = shown(string(toolbox))
	}
	begun.end(activity.OutcomeFor(err), 0, o.host.session)
	return opened, err
}
