package pinnedstart

import (
	"context"
	"errors"
	"log/slog"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Connector connects to servers, and starts pinned packages at their pinned version. Safe for
// concurrent use.
type Connector struct {
	next     ports.Connector
	packages ports.Packages
	locks    ports.PackageLocks
	// state returns what the lock and the policies currently say.
	state func() pinning.PackageState
	log   *slog.Logger
}

var _ ports.Connector = (*Connector)(nil)

// NewConnector returns a connector over next, which starts servers as they are configured. It reads
// the state for each connection, and does nothing else as long as no package is pinned and none
// must be.
func NewConnector(
	next ports.Connector, packages ports.Packages, locks ports.PackageLocks, state func() pinning.PackageState, log *slog.Logger,
) *Connector {
	return &Connector{next: next, packages: packages, locks: locks, state: state, log: log}
}

// Connect implements ports.Connector. In addition to the failures of next, it fails for a
// server that must not start, as unavailable with the reason.
func (c *Connector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	state := c.state()
	if state.IsNothing() {
		return c.next.Connect(ctx, server, host, policy)
	}
	toStart, unpinned, err := c.pinned(ctx, server, host, state)
	if err != nil {
		return nil, c.refused(ctx, server, err)
	}
	session, err := c.next.Connect(ctx, toStart, host, policy)
	if err != nil || unpinned == nil {
		return session, err
	}
	return &unpinnedSession{Session: session, warning: domain.Warning{Kind: domain.PackageNotPinned, Reason: unpinned}}, nil
}

// pinned returns the server to start. If the server has a pin that is not used, and the policies
// allow that, unpinned says why. The error says why the server must not start.
func (c *Connector) pinned(
	ctx context.Context, server domain.Server, host ports.Host, state pinning.PackageState,
) (toStart domain.Server, unpinned *domain.PackageError, err error) {
	request, isLauncher, err := c.packages.Request(server)
	switch {
	case !isLauncher:
		return server, nil, nil
	case state.Broken != nil:
		toStart, unpinned, err := c.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Lock: state.Broken.Reason})
		if state.WarnsOfLock {
			unpinned = nil // one warning names the lock for all servers
		}
		return toStart, unpinned, err
	}
	pin, isPinned := state.Package(server.ID)
	switch {
	case !isPinned && state.OnlyPinned:
		return server, nil, &domain.PackageError{Cause: err}
	case !isPinned:
		return server, nil, nil
	case err != nil:
		return c.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Cause: err})
	case !pin.Fits(request):
		return c.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Request: &request})
	}
	if unusable, err := c.install(ctx, server, host, pin); err != nil {
		return server, nil, err
	} else if unusable != nil {
		return c.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Lock: unusable.Reason})
	}
	toStart, err = c.packages.Pinned(server, pin)
	return toStart, nil, err
}

// unpinned returns the server as configured and the reason, or the refusal to start it.
func (c *Connector) unpinned(server domain.Server, refuse bool, why *domain.PackageError) (domain.Server, *domain.PackageError, error) {
	if refuse {
		return server, nil, why
	}
	why = why.Redacted(server)
	c.log.Warn("the server starts as configured, not at the version of the lock",
		"toolbox", server.ID.Toolbox, "server", server.ID.Server, "reason", why)
	return server, why, nil
}

// install installs the package if it is not installed yet. If the lock file of the package cannot
// be used, it returns that instead of an error.
func (c *Connector) install(
	ctx context.Context, server domain.Server, host ports.Host, pin domain.PackagePin,
) (unusable *domain.LockBrokenError, err error) {
	if c.packages.IsInstalled(pin) {
		return nil, nil
	}
	lockFile, err := c.locks.PackageLock(server.ID, pin)
	if err != nil {
		unusable, ok := errors.AsType[*domain.LockBrokenError](err)
		if !ok {
			unusable = &domain.LockBrokenError{Reason: err.Error()}
		}
		return unusable, nil
	}
	if watcher, ok := host.(ports.StartWatcher); ok {
		watcher.Starting(ports.Start{MayDownload: true, Installing: pin.String()})
	}
	c.log.Info("installing the package of the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "package", pin.String())
	return nil, c.packages.Install(ctx, server, pin, lockFile)
}

// refused returns the error for a server that must not start.
func (c *Connector) refused(ctx context.Context, server domain.Server, err error) error {
	reason := errors.New(server.Redact(err.Error()))
	if unpinned, ok := errors.AsType[*domain.PackageError](err); ok {
		reason = unpinned.Redacted(server)
	}
	return &domain.ServerUnavailableError{ID: server.ID, Reason: reason, Cause: ctx.Err()}
}

// unpinnedSession is a session with a server that was not started at its pinned version. Its list
// of tools has a warning.
type unpinnedSession struct {
	ports.Session
	warning domain.Warning
}

// ListTools implements ports.Session.
func (s *unpinnedSession) ListTools(ctx context.Context) (domain.ToolList, error) {
	list, err := s.Session.ListTools(ctx)
	if err == nil {
		list.Warnings = append(list.Warnings[:len(list.Warnings):len(list.Warnings)], s.warning)
	}
	return list, err
}
