// Package access says who makes an HTTP request and what that identity may see. What
// checks requests writes it into their contexts, and what answers them reads it there, so
// that neither knows the other.
package access

import (
	"context"
	"time"
)

// Access is what a request may do.
type Access struct {
	// Identity tells those who make requests apart. It is compared and never read; ""
	// stands for everybody where nobody has to say who they are.
	Identity string
	// Toolboxes are the names of the toolboxes that the identity may see, in any order; nil
	// for all, empty for none.
	Toolboxes []string
	// Revoked is closed when the identity may not call any more, which ends what it has under
	// way; nil if it never is.
	Revoked <-chan struct{}
	// Until is when the access ends by itself, the zero time when nobody knows.
	Until time.Time
}

// key is that of the value in a context.
type key struct{}

// With returns a context for a request with that access.
func With(ctx context.Context, access Access) context.Context {
	return context.WithValue(ctx, key{}, access)
}

// Of returns the access of the request with that context: that of everybody, to all
// toolboxes, if nothing checked the request.
func Of(ctx context.Context) Access {
	access, _ := ctx.Value(key{}).(Access)
	return access
}
