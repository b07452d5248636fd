package application

import (
	"context"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolboxCloser is the use case CloseToolbox.
type ToolboxCloser struct {
	catalog       ports.Catalog
	opened        *Opened
	sessions      *sessions.Sessions
	registrations *Registrations
}

// NewToolboxCloser returns the use case. Opener and closer share what is opened, so that they
// wait for each other.
func NewToolboxCloser(
	catalog ports.Catalog, opened *Opened, sessions *sessions.Sessions, registrations *Registrations,
) *ToolboxCloser {
	return &ToolboxCloser{catalog: catalog, opened: opened, sessions: sessions, registrations: registrations}
}

// CloseToolbox implements ports.ToolboxCloser.
func (c *ToolboxCloser) CloseToolbox(ctx context.Context, name domain.ToolboxName) (domain.ClosedToolbox, error) {
	toolbox, err := c.catalog.Toolbox(name)
	if err != nil {
		return domain.ClosedToolbox{}, err
	}
	closed := domain.ClosedToolbox{Toolbox: name}
	wasOpen := false
	err = c.opened.close(ctx, name, func() {
		closed.Removed, wasOpen = c.registrations.withdraw(name)
		// Servers may be starting, or up, even if the toolbox could not be opened.
		c.sessions.CloseToolbox(toolbox)
	})
	switch {
	case err != nil:
		return domain.ClosedToolbox{}, err
	case !wasOpen:
		return domain.ClosedToolbox{}, &domain.ToolboxNotOpenError{Toolbox: name}
	}
	return closed, nil
}
