package registry

import (
	"cmp"
	"context"
	"errors"

	"mcp-workbench/domain"
)

// Standing describes, from the registry, whether a version of a server that is in use is still the one to use.
type Standing struct {
	// Newer is the newest version if that is another one than the version in use, otherwise nil.
	Newer *Server
	// IsDeprecated says that the version in use or the newest one is deprecated, and IsDeleted that the registry no longer
	// has the version in use.
	IsDeprecated, IsDeleted bool
	// Message is the registry's text about the status, or "".
	Message string
}

// Standing returns the standing of a version that is in use.
//
// Failures: *Error.
func (c *Client) Standing(ctx context.Context, from domain.Published) (Standing, error) {
	newest, err := c.Version(ctx, from.Registry, "")
	if _, isGone := errors.AsType[*NotFoundError](err); isGone {
		return Standing{IsDeleted: true}, nil
	}
	if err != nil {
		return Standing{}, err
	}
	var standing Standing
	used := newest
	if newest.Version != from.Version {
		standing.Newer = &newest
		used, err = c.Version(ctx, from.Registry, from.Version)
		if _, standing.IsDeleted = errors.AsType[*NotFoundError](err); err != nil && !standing.IsDeleted {
			return Standing{}, err
		}
	}
	standing.IsDeprecated = used.Status.State == Deprecated || newest.Status.State == Deprecated
	standing.IsDeleted = standing.IsDeleted || used.Status.State == Deleted
	standing.Message = cmp.Or(used.Status.Message, newest.Status.Message)
	return standing, nil
}
