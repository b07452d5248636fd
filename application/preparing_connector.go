package application

import (
	"context"
	"errors"
	"log/slog"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PreparingConnector prepares servers for their start and connects to them: it puts the values that commands print into
// their settings (tests/acceptance/CONTRACT.md section 23), and replaces launchers such as npx by the package at the
// version that the lock pins (section 20). It is between the sessions and the transports; neither knows of it. Safe
// for concurrent use.
//
// Decision: the first attempt to connect to a server installs its package, within limits.connect
// like everything else in an attempt. Whatever was downloaded until then stays in npm's cache, so
// the next attempt is shorter.
//
// Decision: a pin that cannot be used, because the configuration requests something else or the
// lock file of the package is not the one that was locked, is ignored. The server starts as
// configured and its list of tools has a warning, unless the policies refuse that. A failed
// installation is refused under every policy: the registry may have other bytes under the same
// version, and the launcher would run them.
type PreparingConnector struct {
	next   ports.Connector
	values *SecretValues
	pins   *packagePins // nil if servers start as they are configured
}

var _ ports.Connector = (*PreparingConnector)(nil)

// NewPreparingConnector returns a connector over next, which gets complete settings. Packages start as they are
// configured. Values may be nil if no server needs any.
func NewPreparingConnector(next ports.Connector, values *SecretValues) *PreparingConnector {
	return &PreparingConnector{next: next, values: values}
}

// AtPins returns a connector that does the same, and starts pinned packages at their pinned version. It calls
// state, which returns what the lock and the policies say, for each connection, and does nothing else as long
// as no package is pinned and none must be.
func (c *PreparingConnector) AtPins(
	packages ports.Packages, locks ports.PackageLocks, state func() pinning.PackageState, log *slog.Logger,
) *PreparingConnector {
	return &PreparingConnector{next: c.next, values: c.values, pins: &packagePins{packages: packages, locks: locks, state: state, log: log}}
}

// Connect implements ports.Connector. In addition to the failures of next, it fails for a server that cannot
// be prepared or must not start, as unavailable with the reason.
func (c *PreparingConnector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	server, unpinned, err := c.pins.prepare(ctx, server, host)
	if err != nil {
		return nil, err
	}
	session, err := c.connect(ctx, server, host, policy)
	if err != nil || unpinned == nil {
		return session, err
	}
	return &unpinnedSession{Session: session, warning: domain.Warning{Kind: domain.PackageNotPinned, Reason: unpinned}}, nil
}

// connect connects to a server whose settings may need values from commands. The values are forgotten once the
// server refuses a login with them.
func (c *PreparingConnector) connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	needed := server.SecretCommands
	if len(needed) == 0 {
		return c.next.Connect(ctx, server, host, policy)
	}
	server, values, err := c.values.complete(ctx, server)
	if err != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: err, Cause: ctx.Err()}
	}
	forgetting := forgettingPolicy{policy, func() { c.values.forget(needed, values) }}
	session, err := c.next.Connect(ctx, server, host, forgetting)
	if _, needsLogin := errors.AsType[*domain.LoginRequiredError](err); needsLogin {
		forgetting.forget()
	}
	return session, err
}

// forgettingPolicy is the policy for a server whose values came from commands: it forgets them once the server
// refuses them.
type forgettingPolicy struct {
	ports.ServerPolicy
	forget func()
}

// LoginRefused implements ports.ServerPolicy.
func (p forgettingPolicy) LoginRefused() {
	p.forget()
	p.ServerPolicy.LoginRefused()
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
