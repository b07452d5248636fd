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
func (c *Connector) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	if len(server.SecretCommands) == 0 {
		return c.next.Connect(ctx, server, host)
	}
	needed := server.SecretCommands
	values, err := c.values.read(ctx, needed, server.Limits.Secret)
	if err != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: err, Cause: ctx.Err()}
	}
	server = server.WithSecrets(values)
	c.values.learn(server.Secrets)
	server.LoginRefused = func() { c.values.forget(needed, values) }
	session, err := c.next.Connect(ctx, server, host)
	if _, needsLogin := errors.AsType[*domain.LoginRequiredError](err); needsLogin {
		server.LoginRefused()
	}
	return session, err
}
