package ports

import "context"

// laterRootsKey is the key in a context of what WithoutLaterRoots says.
type laterRootsKey struct{}

// WithoutLaterRoots returns a context for the opening of a toolbox whose servers get no roots after it until one is
// used: a host of 2026-07-28 can be asked during a request only.
func WithoutLaterRoots(ctx context.Context) context.Context {
	return context.WithValue(ctx, laterRootsKey{}, false)
}

// HasLaterRoots reports whether servers can also ask for the roots after the request with that context.
func HasLaterRoots(ctx context.Context) bool {
	later, isSaid := ctx.Value(laterRootsKey{}).(bool)
	return later || !isSaid
}
