package registry

import (
	"cmp"
	"context"
	"errors"

	"mcp-workbench/domain"
)

// Standing is what a registry says now about a version of a server.
type Standing struct {
	// Newest is the newest version, with the version in use if that is the newest one. It is the zero value if IsGone is set.
	Newest Server
	// Status is that of the version in use. IsGone says that the registry has the server no more, or not this version.
	Status Status
	IsGone bool
}

// IsNewer reports whether the newest version is another one than the version in use.
func (s Standing) IsNewer(from domain.Published) bool {
	return s.Newest.Version != "" && s.Newest.Version != from.Version
}

// IsDeprecated reports whether the version in use or the newest one is deprecated.
func (s Standing) IsDeprecated() bool {
	return s.Status.State == Deprecated || s.Newest.Status.State == Deprecated
}

// Message is what the registry says about the status, "" for nothing.
func (s Standing) Message() string { return cmp.Or(s.Status.Message, s.Newest.Status.Message) }

// IsDeleted reports whether the version in use was deleted.
func (s Standing) IsDeleted() bool { return s.IsGone || s.Status.State == Deleted }

// Standing returns what the registry says about a version that is in use.
//
// Failures: *Error.
func (c *Client) Standing(ctx context.Context, from domain.Published) (Standing, error) {
	var standing Standing
	newest, err := c.Version(ctx, from.Registry, "")
	if _, isGone := errors.AsType[*NotFoundError](err); isGone {
		return Standing{IsGone: true}, nil
	}
	if err != nil {
		return Standing{}, err
	}
	standing.Newest, standing.Status = newest, newest.Status
	if newest.Version == from.Version {
		return standing, nil
	}
	used, err := c.Version(ctx, from.Registry, from.Version)
	if _, isGone := errors.AsType[*NotFoundError](err); isGone {
		standing.IsGone = true
		return standing, nil
	}
	standing.Status = used.Status
	return standing, err
}
