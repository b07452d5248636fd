package telemetry

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"mcp-workbench/domain"
)

// operation describes one request or session in spans and metrics. An empty field has no attribute.
type operation struct {
	metric            string
	method            mcp.MCPMethod
	tool              string
	toolbox, server   string
	transport         string
	errorType, status string
}

// maxName is the maximum length of an exported name in bytes. Servers choose the names of tools.
const maxName = 128

// exportedName returns a name in the form that is exported.
func exportedName(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}

// about returns the operation with the names of a tool.
func (o operation) about(tool domain.ToolIdentifier) operation {
	o.tool, o.toolbox, o.server = exportedName(tool.Tool), exportedName(string(tool.Toolbox)), exportedName(string(tool.Server))
	return o
}

// end returns the operation with its outcome.
func (o operation) end(outcome domain.Outcome, code int) operation {
	if code != 0 {
		o.errorType, o.status = strconv.Itoa(code), strconv.Itoa(code)
	} else if outcome != domain.OutcomeOK {
		o.errorType = string(outcome)
	}
	return o
}

// attributes returns the attributes of the operation that have a value.
func (o operation) attributes() (attributes []attribute.KeyValue) {
	executed := ""
	if o.method == mcp.MethodToolsCall {
		executed = "execute_tool"
	}
	for _, a := range [][2]string{
		{"mcp.method.name", string(o.method)},
		{"gen_ai.operation.name", executed},
		{"gen_ai.tool.name", o.tool},
		{"mcp_workbench.toolbox", o.toolbox},
		{"mcp_workbench.server", o.server},
		{"network.transport", o.transport},
		{"error.type", o.errorType},
		{"rpc.response.status_code", o.status},
	} {
		if a[1] != "" {
			attributes = append(attributes, attribute.String(a[0], a[1]))
		}
	}
	return attributes
}

// span is an operation that is in progress.
type span struct {
	trace.Span
	telemetry *Telemetry
	operation operation
	begun     time.Time
	of        domain.ActivityKind // what a span of a host is about
}

// begin begins a span. If the settings say so, the parent becomes a link. Links that are not valid are left out.
func (t *Telemetry) begin(kind trace.SpanKind, parent, link trace.SpanContext, about operation) *span {
	links := []trace.SpanContext{link}
	if t.links && kind == trace.SpanKindServer {
		links, parent = []trace.SpanContext{parent, link}, trace.SpanContext{}
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(kind)}
	for _, to := range links {
		if to.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: to}))
		}
	}
	_, begun := t.tracer.Start(trace.ContextWithSpanContext(context.Background(), parent), string(about.method), options...)
	return &span{Span: begun, telemetry: t, operation: about, begun: time.Now()}
}

// end ends the span, and counts the operation. Session is the id of the host's session, "" for none.
func (s *span) end(outcome domain.Outcome, code int, session string) {
	s.operation = s.operation.end(outcome, code)
	s.telemetry.count(s.operation, time.Since(s.begun))
	if !s.IsRecording() {
		return
	}
	s.SetName(strings.TrimSpace(string(s.operation.method) + " " + s.operation.tool))
	s.SetAttributes(s.operation.attributes()...)
	if session != "" {
		s.SetAttributes(attribute.String("mcp.session.id", session))
	}
	if s.operation.errorType != "" {
		s.SetStatus(codes.Error, "")
	}
	s.End()
}
