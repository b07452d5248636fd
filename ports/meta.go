package ports

import (
	"context"
	"encoding/json"
)

// metaKey is the key of the members of _meta in a context.
type metaKey struct{}

// WithMeta returns a context for a request with those members of _meta, written as in an object but without
// its braces. A use case that opens a toolbox gets them in this way.
func WithMeta(ctx context.Context, meta json.RawMessage) context.Context {
	if len(meta) == 0 {
		return ctx
	}
	return context.WithValue(ctx, metaKey{}, meta)
}

// MetaOf returns the members of the _meta of the request with that context, nil for none.
func MetaOf(ctx context.Context) json.RawMessage {
	meta, _ := ctx.Value(metaKey{}).(json.RawMessage)
	return meta
}

// TransportTraceKey is the key, in the context of a request, of the traceparent that arrived beside the
// request, such as in an HTTP header, and not in its _meta. The value is a string.
type TransportTraceKey struct{}

// WithTransportTrace returns a context with a traceparent, the same one for "".
func WithTransportTrace(ctx context.Context, traceparent string) context.Context {
	if traceparent == "" {
		return ctx
	}
	return context.WithValue(ctx, TransportTraceKey{}, traceparent)
}

// TransportTraceOf returns the traceparent that arrived beside the request with that context, "" for none.
// It can be anything: the host or a proxy wrote it.
func TransportTraceOf(ctx context.Context) string {
	traceparent, _ := ctx.Value(TransportTraceKey{}).(string)
	return traceparent
}
