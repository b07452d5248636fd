package telemetry

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Host records the requests of one host. It implements ports.CallObserver. A nil Host records no session. Safe for
// concurrent use.
type Host struct {
	telemetry          *Telemetry
	transport, session string
	begun              time.Time
}

// transportName returns the value of network.transport.
func transportName(isOverTCP bool) string {
	if isOverTCP {
		return "tcp"
	}
	return "pipe"
}

// NewHost returns a host, on standard input and output or over HTTP. The argument session is the part of the session
// id that may be shown, "" for none.
func (t *Telemetry) NewHost(isOverHTTP bool, session string) *Host {
	if t == nil {
		return nil
	}
	return &Host{telemetry: t, transport: transportName(isOverHTTP), session: session, begun: time.Now()}
}

// Close counts the ended session of the host.
func (h *Host) Close() {
	if h != nil {
		h.telemetry.count(operation{metric: serverSessions, transport: h.transport}, time.Since(h.begun))
	}
}

// spanKey is the key of the current span in a context.
type spanKey struct{}

// Begin implements ports.CallObserver. The parent of the span is the span in _meta, and the span of the transport is
// linked. Without a span in _meta, the one of the transport is the parent (semantic conventions for MCP, "Context
// propagation").
func (h *Host) Begin(ctx context.Context, kind domain.ActivityKind, _ domain.ToolIdentifier, call ports.ToolCall) context.Context {
	if kind == domain.ActivityOpen && ctx.Value(spanKey{}) != nil { // a call that has a span opens the toolbox
		return ctx
	}
	parent, transport := parentIn(call.Meta), spanIn(propagation.MapCarrier{traceparentKey: ports.TransportTraceOf(ctx)})
	if !parent.IsValid() {
		parent, transport = transport, trace.SpanContext{}
	}
	begun := h.telemetry.begin(trace.SpanKindServer, parent, transport, operation{
		metric: serverOperations, method: mcp.MethodToolsCall, transport: h.transport,
	})
	begun.of = kind
	return context.WithValue(ctx, spanKey{}, begun)
}

// End implements ports.CallObserver. It leaves out the names that a caller made up.
func (h *Host) End(ctx context.Context, ended domain.Activity, _ ports.Answer, _ error) {
	begun, ok := ctx.Value(spanKey{}).(*span)
	if !ok || begun.of != ended.Kind {
		return
	}
	if !ended.Unknown {
		begun.operation = begun.operation.about(ended.Tool)
	}
	if ended.Kind == domain.ActivityOpen {
		begun.operation.tool = domain.ToolOpenToolbox
	}
	begun.end(ended.Outcome, ended.Code, h.session)
}
