package telemetry

import (
	"context"
	"encoding/json"
	"slices"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"mcp-workbench/domain/rawjson"
)

// traceparentKey is the member of a _meta, and the header, with the span (SEP-414).
const traceparentKey = "traceparent"

// propagator reads and writes trace context. Its fields are also the members of _meta.
var propagator propagation.TraceContext

// parentIn returns the span that a _meta names, which is not valid if it names none or an invalid one. The argument meta
// has the members of the object without its braces.
func parentIn(meta json.RawMessage) trace.SpanContext {
	if len(meta) == 0 {
		return trace.SpanContext{}
	}
	object := rawjson.Object{}.Members(meta).JSON()
	carrier := propagation.MapCarrier{}
	for _, name := range propagator.Fields() {
		carrier[name] = rawjson.Text(rawjson.Member(object, name))
	}
	return spanIn(carrier)
}

// spanIn returns the span that fields name, as parentIn does.
func spanIn(carrier propagation.MapCarrier) trace.SpanContext {
	return trace.SpanContextFromContext(propagator.Extract(context.Background(), carrier))
}

// withContext returns the members of a _meta with their context replaced.
func withContext(meta json.RawMessage, current trace.Span) json.RawMessage {
	carrier := propagation.MapCarrier{}
	propagator.Inject(trace.ContextWithSpan(context.Background(), current), carrier)
	object := rawjson.EditMembers(rawjson.Object{}.Members(meta).JSON(), func(name string, value []byte) []byte {
		if slices.Contains(propagator.Fields(), name) {
			return nil
		}
		return value
	})
	members := rawjson.Object{}.Members(object[1 : len(object)-1])
	for _, name := range propagator.Fields() {
		if carrier[name] != "" {
			members = members.Text(name, carrier[name])
		}
	}
	return members.Inside()
}
