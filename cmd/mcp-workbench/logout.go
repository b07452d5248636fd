package main

import (
	"context"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/terminal/commandline"
)

func newLogoutCommand(options *options) *cobra.Command {
	return &cobra.Command{
		Use:               "logout TOOLBOX/SERVER",
		Short:             "Log out of a server, for every host on this machine",
		Args:              commandline.WordsBetween(1, 1, nameServer),
		ValidArgsFunction: options.completing().Places(1),
		RunE: func(command *cobra.Command, args []string) error {
			logOut := func(ctx context.Context, target *login.Target) (string, error) { return target.LogOut(ctx) }
			return atServer(command.Context(), *options, args[0], logOut)
		},
	}
}
