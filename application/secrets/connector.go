package secrets

import (
	"context"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Connector connects to servers, and puts the values that their settings need from commands into
// the settings. Safe for concurrent use.
type Connector struct {
	next   ports.Connector
	values *Values
}

var _ ports.Connector = (*Connector)(nil)

// NewConnector returns a connector over next, which gets complete settings.
func NewConnector(next ports.Connector, values *Values) *Connector { return &Connector{next, values} }

// Connect implements ports.Connector.
func (c *Connector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	if len(server.SecretCommands) == 0 {
		return c.next.Connect(ctx, server, host, policy)
	}
	needed := server.SecretCommands
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
