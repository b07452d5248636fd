package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/terminal/commandline"
)

// loginFlags are those of the command login.
type loginFlags struct {
	noBrowser, list, asJSON bool
	scopes                  []string
}

// nameServer says what to do when no server is named.
const nameServer = "name a server; 'mcp-workbench list' shows servers"

func newLoginCommand(options *options) *cobra.Command {
	var flags loginFlags
	command := &cobra.Command{
		Use:   "login TOOLBOX/SERVER",
		Short: "Log in to a server behind a URL, or show the logins",
		Args: func(command *cobra.Command, args []string) error {
			if flags.list {
				if len(args) > 0 {
					return errors.New("--list shows every login, so it takes no server")
				}
				return nil
			}
			if flags.asJSON {
				return errors.New("--json goes with --list")
			}
			return commandline.WordsBetween(1, 1, nameServer)(command, args)
		},
		ValidArgsFunction: options.completing().Places(1),
		RunE: func(command *cobra.Command, args []string) error {
			if flags.list {
				return listLogins(*options, flags.asJSON)
			}
			return logIn(command.Context(), *options, args[0], flags)
		},
	}
	command.Flags().BoolVar(&flags.noBrowser, "no-browser", false, "print the address to open, and read the one that the browser ends up at")
	command.Flags().StringSliceVar(&flags.scopes, "scopes", nil, "also ask for these `scopes`, separated by commas")
	command.Flags().BoolVar(&flags.list, "list", false, "show the logins on this machine, without tokens")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "with --list: print one JSON object")
	command.MarkFlagsMutuallyExclusive("list", "no-browser")
	command.MarkFlagsMutuallyExclusive("list", "scopes")
	return command
}

// logIn runs the command for one server.
func logIn(ctx context.Context, options options, name string, flags loginFlags) error {
	return atServer(ctx, options, name, func(ctx context.Context, target *login.Target) (string, error) {
		attempt := login.Attempt{Target: target, NoBrowser: flags.noBrowser, Scopes: strings.Fields(strings.Join(flags.scopes, " "))}
		return attempt.Run(ctx)
	})
}

// atServer runs a command about the login at a server, and prints the text that it returns.
func atServer(ctx context.Context, options options, name string, run func(context.Context, *login.Target) (string, error)) error {
	visit, err := newVisit(options.visiting())
	if err != nil {
		return err
	}
	defer visit.Close()
	server, err := visit.findServer(name)
	if err != nil {
		return err
	}
	running, _, stop := untilSignal(ctx)
	defer stop()
	target := login.Target{Client: visit.logins, Configured: server, Agent: mcpserver.Name + "/" + version, Console: console, Log: visit.log}
	return target.Run(running, run)
}

// listLogins runs login --list.
func listLogins(options options, asJSON bool) error {
	client := newOAuthClient(&oauth.Secrets{}, slog.New(slog.NewTextHandler(console.Err, nil)))
	if client == nil {
		return &exitError{Code: exitFailure}
	}
	var usedBy map[logins.Key][]string
	configuration, err := options.inForce().load(checkingTransports())
	if err == nil { // without a usable configuration, logins are shown without their servers
		usedBy = login.Servers(configuration.Catalog.Toolboxes())
	}
	return login.Show(client.Store, usedBy, console.Out, asJSON)
}

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
