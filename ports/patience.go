package ports

import (
	"context"
	"time"
)

// patienceKey is the key of a host's patience in a context.
type patienceKey struct{}

// WithPatience returns a context for a request of a host that waits that long for an answer. A use case that opens a
// toolbox gets it in this way; 0 means that nothing is known about the host.
func WithPatience(ctx context.Context, patience time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, patience)
}

// PatienceOf returns how long the host waits for the answer to the request with that context, 0 if that is not known.
func PatienceOf(ctx context.Context) time.Duration {
	patience, _ := ctx.Value(patienceKey{}).(time.Duration)
	return patience
}
