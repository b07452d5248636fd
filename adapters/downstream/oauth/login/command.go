package login

import (
	"context"
	"errors"
	"log/slog"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// Command is a command about the login at a server.
type Command struct {
	// Client is nil if there is no place for logins.
	Client *oauth.Client
	// Agent is the program and its version, for the server.
	Agent   string
	Console *terminal.Console
	Log     *slog.Logger
}

// At runs the command at a server, and prints the text that it returns.
//
// Failures: *UnsuitableError, those of the command and of printing.
func (c Command) At(ctx context.Context, server domain.Server, run func(context.Context, *Target) (text string, err error)) error {
	target, err := NewTarget(server)
	switch {
	case err != nil:
		return err
	case c.Client == nil:
		return errors.New("there is no home directory, so logins cannot be stored")
	}
	target.Client, target.Agent, target.Console, target.Log = c.Client, c.Agent, c.Console, c.Log
	text, err := run(ctx, &target)
	if err != nil {
		return err
	}
	return terminal.New(c.Console.Out, "never").Print("%s", text)
}
