package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal"
)

// Exit codes of the program (tests/acceptance/CONTRACT.md section 9).
const (
	exitOK            = 0
	exitFailure       = 1
	exitUsage         = 2
	exitConfiguration = 3
	exitUnreachable   = 4
	exitToolError     = 5
)

// exitError is a failure with an exit code of its own.
type exitError struct {
	code int
	err  error // nil when everything was printed already
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// run runs the command line and returns the exit code.
func run(args []string) int {
	root := newRootCommand()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(context.Background())
	if err == nil {
		return exitOK
	}
	exit, ok := errors.AsType[*exitError](err)
	if !ok {
		fmt.Fprintf(os.Stderr, "mcp-workbench: %v\nSee '%s --help'.\n", err, command.CommandPath())
		return exitUsage
	}
	if exit.err != nil {
		fmt.Fprintf(os.Stderr, "mcp-workbench: %v\n", exit.err)
	}
	return exit.code
}

func newRootCommand() *cobra.Command {
	var options options
	serve := func(command *cobra.Command, _ []string) error {
		options.lenient = true
		return serve(command.Context(), options)
	}
	root := &cobra.Command{
		Use:   "mcp-workbench",
		Short: "An MCP server that brings in all your other MCP servers, grouped into toolboxes",
		Long: `An MCP server that brings in all your other MCP servers, grouped into toolboxes.

Without a command it serves a host on standard input and output. 'mcp-workbench
help configuration' says where the configuration is found and what is in it.`,
		Version:       version(),
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          serve,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if !slices.Contains(terminal.ColourModes(), options.colour) {
				return fmt.Errorf("--color %q: use %s", options.colour, strings.Join(terminal.ColourModes(), ", "))
			}
			return nil
		},
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVar(&options.config, "config", "", "configuration `file`")
	flags.StringVar(&options.logLevel, "log-level", "", "what to log on stderr: debug, info, warn or error (default warn)")
	serveCommand := &cobra.Command{
		Use: "serve", Short: "Serve a host on standard input and output (the default)",
		Args: noWords, RunE: serve,
	}
	for _, command := range []*cobra.Command{root, serveCommand} {
		command.Flags().BoolVar(&options.strict, "strict", false, "refuse a configuration with problems instead of serving the rest of it")
	}
	flags.StringVar(&options.colour, "color", "auto", "when to use colour: "+strings.Join(terminal.ColourModes(), ", "))
	root.AddCommand(
		serveCommand,
		newListCommand(&options),
		newCallCommand(&options),
		newSchemaCommand(),
		newLoginCommand(&options),
		newLogoutCommand(&options),
		newDoctorCommand(&options),
		newValidateCommand(&options),
		newLockCommand(&options),
		newInitCommand(&options),
		newAddCommand(&options),
		newAddJSONCommand(&options),
		newRemoveCommand(&options),
		newImportCommand(&options),
		newConnectCommand(&options),
		newDisconnectCommand(&options),
		newDemoCommand(),
		newDemoServerCommand(),
		newVersionCommand(),
	)
	root.AddCommand(newHelpTopics()...)
	root.SetHelpCommand(newHelpCommand())
	addCompletion(root)
	return root
}
