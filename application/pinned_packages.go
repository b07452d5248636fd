package application

import (
	"context"
	"errors"
	"log/slog"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// packagePins start pinned packages at their pinned version. A nil value pins nothing.
type packagePins struct {
	packages ports.Packages
	locks    ports.PackageLocks
	state    func() pinning.PackageState
	log      *slog.Logger
}

// prepare returns the server to start. If the server has a pin that is not used, and the policies allow that,
// unpinned says why. The error is for a server that must not start.
func (p *packagePins) prepare(ctx context.Context, server domain.Server, host ports.Host) (toStart domain.Server, unpinned *domain.PackageError, err error) {
	if p == nil {
		return server, nil, nil
	}
	state := p.state()
	if state.IsNothing() {
		return server, nil, nil
	}
	toStart, unpinned, err = p.preparePinned(ctx, server, host, state)
	if err != nil {
		return server, nil, notPrepared(ctx, server, err)
	}
	return toStart, unpinned, nil
}

// preparePinned is prepare while something is pinned or must be. Its error is the reason.
func (p *packagePins) preparePinned(
	ctx context.Context, server domain.Server, host ports.Host, state pinning.PackageState,
) (toStart domain.Server, unpinned *domain.PackageError, err error) {
	request, isLauncher, err := p.packages.Request(server)
	switch {
	case !isLauncher:
		return server, nil, nil
	case state.Broken != nil:
		toStart, unpinned, err := p.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Lock: state.Broken.Reason})
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
		return p.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Cause: err})
	case !pin.Fits(request):
		return p.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Request: &request})
	}
	if unusable, err := p.install(ctx, server, host, pin); err != nil {
		return server, nil, err
	} else if unusable != nil {
		return p.unpinned(server, state.OnlyAsPinned, &domain.PackageError{Pin: &pin, Lock: unusable.Reason})
	}
	toStart, err = p.packages.Pinned(server, pin)
	return toStart, nil, err
}

// unpinned returns the server as configured and the reason, or the refusal to start it.
func (p *packagePins) unpinned(server domain.Server, refuse bool, why *domain.PackageError) (domain.Server, *domain.PackageError, error) {
	if refuse {
		return server, nil, why
	}
	why = why.Redacted(server)
	p.log.Warn("the server starts as configured, not at the version of the lock",
		"toolbox", server.ID.Toolbox, "server", server.ID.Server, "reason", why)
	return server, why, nil
}

// install installs the package if it is not installed yet. If the lock file of the package cannot
// be used, it returns that instead of an error.
func (p *packagePins) install(
	ctx context.Context, server domain.Server, host ports.Host, pin domain.PackagePin,
) (unusable *domain.LockBrokenError, err error) {
	if p.packages.IsInstalled(pin) {
		return nil, nil
	}
	lockFile, err := p.locks.PackageLock(server.ID, pin)
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
	p.log.Info("installing the package of the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "package", pin.String())
	return nil, p.packages.Install(ctx, server, pin, lockFile)
}

// notPrepared returns the error for a server that must not start.
func notPrepared(ctx context.Context, server domain.Server, err error) error {
	reason := errors.New(server.Redact(err.Error()))
	if unpinned, ok := errors.AsType[*domain.PackageError](err); ok {
		reason = unpinned.Redacted(server)
	}
	return &domain.ServerUnavailableError{ID: server.ID, Reason: reason, Cause: ctx.Err()}
}
