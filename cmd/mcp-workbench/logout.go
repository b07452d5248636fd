package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/commandline"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/system/signals"
	"mcp-workbench/adapters/terminal"
)

func newLogoutCommand(options *options) *cobra.Command {
	return &cobra.Command{
		Use:   "logout TOOLBOX/SERVER",
		Short: "Log out of a server, for every host on this machine",
		Long: `Forget the login at a server, for every host and every copy of the workbench on this
machine, and revoke its tokens where the authorization server can do that.

The exit code is 1 when the tokens could not be revoked, and 4 when the authorization server
cannot be reached. The login is forgotten in any case.

  mcp-workbench logout code/issues`,
		Args:              commandline.WordsBetween(1, 1, nameServer),
		ValidArgsFunction: completePlaces(options, 1),
		RunE: func(command *cobra.Command, args []string) error {
			return logout(command.Context(), *options, args[0])
		},
	}
}

// logout runs the command. The login is forgotten before it is revoked, so that no
// process refreshes what is being revoked.
func logout(ctx context.Context, options options, name string) error {
	visit, place, err := visitPlace(options, name)
	if err != nil {
		return err
	}
	defer visit.Close()
	ending, _, stop := signals.Until(ctx, nil)
	defer console.LeaveInterrupts()()
	defer stop()
	removed, err := place.Client.Store.Remove(ending, place.Server.Key())
	if err != nil {
		return loginFailed(place, err)
	}
	out := terminal.New(console.Out, "never")
	if !removed.LoggedIn() {
		return out.Print("There is no login to %s.", place.Name)
	}
	err = place.Client.Revoke(ending, removed)
	switch {
	case errors.Is(err, oauth.ErrNoRevocation):
		return out.Print("Logged out of %s here; %v.", place.Name, err)
	case err != nil:
		return loginFailed(place, fmt.Errorf("logged out here, but the tokens could not be revoked: %w", err))
	}
	return out.Print("Logged out of %s at %s.", place.Name, removed.Issuer)
}
