package ports

import (
	"context"
	"encoding/json"
)

// metaKey is that of the value in a context.
type metaKey struct{}

// WithMeta returns a context for a request with those members of _meta, as they stand in an object, without
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
