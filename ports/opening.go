package ports

import (
	"context"
	"time"
)

// Opening says what a host allows the opening of a toolbox. The zero value says nothing.
type Opening struct {
	// Patience is the time for which the host waits for the answer, or 0 if it is unknown.
	Patience time.Duration
	// NoLaterRoots is set if servers get no roots after the opening until one of them is used: a host of 2026-07-28 can be
	// asked during a request only.
	NoLaterRoots bool
}

// openingKey is the key of an Opening in a context.
type openingKey struct{}

// WithOpening returns a context for the opening of a toolbox.
func WithOpening(ctx context.Context, opening Opening) context.Context {
	return context.WithValue(ctx, openingKey{}, opening)
}

// OpeningOf returns what the host allows the opening with that context.
func OpeningOf(ctx context.Context) Opening {
	opening, _ := ctx.Value(openingKey{}).(Opening)
	return opening
}
