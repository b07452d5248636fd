package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// loginFlags are those of the command login.
type loginFlags struct {
	noBrowser, list, asJSON bool
	scopes                  []string
}

func newLoginCommand(options *options) *cobra.Command {
	var flags loginFlags
	command := &cobra.Command{
		Use:   "login TOOLBOX/SERVER",
		Short: "Log in to a server behind a URL, or show the logins",
		Long: `Log in to a server behind a URL that wants a login (OAuth). The command opens the
browser and waits for it on a port of this machine. Every host and every copy of the
workbench on the machine uses the login from then on, and renews it without you.

With --no-browser the command prints the address to open, on any machine, and takes the
address that the browser ends on.

The exit code is 1 when the login is refused, and 4 when the server or its
authorization server cannot be reached. 'mcp-workbench help logins' says more.`,
		Args: func(command *cobra.Command, args []string) error {
			if flags.list {
				return cobra.NoArgs(command, args)
			}
			if flags.asJSON {
				return errors.New("--json goes with --list")
			}
			return cobra.ExactArgs(1)(command, args)
		},
		ValidArgsFunction: completePlaces(options, false),
		RunE: func(command *cobra.Command, args []string) error {
			if flags.list {
				return listLogins(*options, flags.asJSON)
			}
			return login(command.Context(), *options, args[0], flags)
		},
	}
	command.Flags().BoolVar(&flags.noBrowser, "no-browser", false, "print the address to open, and take the one that the browser ends on")
	command.Flags().StringSliceVar(&flags.scopes, "scopes", nil, "ask for these `scopes` too, with commas between them")
	command.Flags().BoolVar(&flags.list, "list", false, "show the logins on this machine, without a token")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "with --list: print one JSON object")
	command.MarkFlagsMutuallyExclusive("list", "no-browser")
	command.MarkFlagsMutuallyExclusive("list", "scopes")
	return command
}

// login runs the command for one server.
func login(ctx context.Context, options options, name string, flags loginFlags) error {
	place, err := newLoginPlace(options, name)
	if err != nil {
		return err
	}
	defer place.Close()
	logging, _, stop := untilSignals(ctx)
	defer stop()
	if err := place.logins.Store.Ready(logging, place.server.Key()); err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("the login could not be kept: %w", err)}
	}
	attempt := &loginAttempt{loginPlace: place, noBrowser: flags.noBrowser}
	for _, scopes := range flags.scopes {
		attempt.scopes = append(attempt.scopes, strings.Fields(scopes)...)
	}
	err = attempt.run(logging)
	if err != nil && logging.Err() != nil {
		return &exitError{code: exitFailure, err: errors.New("interrupted; nobody was logged in")}
	}
	return err
}
