package callers

import (
	"context"
	"time"
)

// Access says what a request can do.
type Access struct {
	// Identity distinguishes callers. It is only compared. All callers without authentication have "".
	Identity string
	// Toolboxes are the names of the toolboxes that the identity can see, in any order; nil
	// for all, empty for none.
	Toolboxes []string
	// Choice names the toolboxes that the request itself chooses, "" for none. Requests with different
	// choices belong to different hosts.
	Choice string
	// Revoked is closed when the identity loses its access, which ends its requests under way; nil if it
	// never is.
	Revoked <-chan struct{}
	// Until is when the access expires, the zero time if that is unknown.
	Until time.Time
}

// HasEnded reports whether the access was revoked or has expired.
func (a Access) HasEnded(now time.Time) bool {
	select {
	case <-a.Revoked:
		return true
	default:
		return !a.Until.IsZero() && !now.Before(a.Until)
	}
}

// accessKey is the context key of an Access.
type accessKey struct{}

// WithAccess returns a context for a request with that access.
func WithAccess(ctx context.Context, access Access) context.Context {
	return context.WithValue(ctx, accessKey{}, access)
}

// AccessOf returns the access of the request with that context. If the request was not checked, it is
// access to all toolboxes without an identity.
func AccessOf(ctx context.Context) Access {
	access, _ := ctx.Value(accessKey{}).(Access)
	return access
}
