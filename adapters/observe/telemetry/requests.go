package telemetry

import "time"

// scopeName is the name of the instrumentation scope.
const scopeName = "mcp-workbench"

// spansRequest returns an ExportTraceServiceRequest.
func (s Settings) spansRequest(spans []*span) message {
	list := make([]message, len(spans))
	for i, span := range spans {
		list[i] = span.message()
	}
	return message{{1, "resourceSpans", []message{{
		{1, "resource", s.resource()},
		{2, "scopeSpans", []message{{{1, "scope", s.scope()}, {2, "spans", list}}}},
	}}}}
}

// metricsRequest returns an ExportMetricsServiceRequest.
func (s Settings) metricsRequest(metrics []message) message {
	return message{{1, "resourceMetrics", []message{{
		{1, "resource", s.resource()},
		{2, "scopeMetrics", []message{{{1, "scope", s.scope()}, {2, "metrics", metrics}}}},
	}}}}
}

func (s Settings) resource() message {
	return message{{1, "attributes", attributeMessages(s.Resource)}}
}

func (s Settings) scope() message {
	return message{{1, "name", text(scopeName)}, {2, "version", text(s.Version)}}
}

func attributeMessages(attributes []attribute) []message {
	list := make([]message, len(attributes))
	for i, a := range attributes {
		value := field{1, "stringValue", text(a.value)}
		if a.key == "otel.metric.overflow" {
			value = field{2, "boolValue", boolean(true)}
		}
		list[i] = message{{1, "key", text(a.key)}, {2, "value", message{value}}}
	}
	return list
}

// The flags of a span besides those of its trace: knowsRemote says that isRemote is valid, and isRemote that the
// parent is in another process.
const (
	knowsRemote = 0x100
	isRemote    = 0x200
)

// statusError is the status code of a failed span.
const statusError = 2

func (s *span) message() message {
	written := message{{1, "traceId", id(s.context.trace[:])}, {2, "spanId", id(s.context.span[:])}}
	if s.context.state != "" {
		written = append(written, field{3, "traceState", text(s.context.state)})
	}
	flags := fixed32(s.context.flags) | knowsRemote
	if s.parent.isValid() {
		written = append(written, field{4, "parentSpanId", id(s.parent.span[:])})
		if s.parent.remote {
			flags |= isRemote
		}
	}
	written = append(written,
		field{5, "name", text(s.name)}, field{6, "kind", enum(s.kind)},
		field{7, "startTimeUnixNano", nanoseconds(s.begun)}, field{8, "endTimeUnixNano", nanoseconds(s.ended)},
		field{9, "attributes", attributeMessages(s.attributes)},
	)
	if len(s.links) > 0 {
		list := make([]message, len(s.links))
		for i, link := range s.links {
			list[i] = link.linkMessage()
		}
		written = append(written, field{13, "links", list})
	}
	if s.failed {
		written = append(written, field{15, "status", message{{3, "code", enum(statusError)}}})
	}
	return append(written, field{16, "flags", flags})
}

func (c spanContext) linkMessage() message {
	return message{
		{1, "traceId", id(c.trace[:])},
		{2, "spanId", id(c.span[:])},
		{3, "traceState", text(c.state)},
		{6, "flags", fixed32(c.flags) | knowsRemote | isRemote},
	}
}

func nanoseconds(t time.Time) fixed64 { return fixed64(max(0, t.UnixNano())) }
