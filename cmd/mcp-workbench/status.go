package main

import (
	"context"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/observe/report"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/system/usersocket"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/application/sharing"
)

func newStatusCommand() *cobra.Command {
	var watch, asJSON bool
	command := &cobra.Command{
		Use:   "status",
		Short: "Show what running workbenches do: hosts, servers, calls, errors",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			return runningWorkbenches().Status(command.Context(), watch, asJSON)
		},
	}
	command.Flags().BoolVar(&watch, "watch", false, "refresh every second, until q or Ctrl-C")
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with --watch one a line")
	return command
}

func newLogsCommand(options *options) *cobra.Command {
	var follow bool
	command := newServerCommand(options, &cobra.Command{
		Use:   "logs TOOLBOX/SERVER",
		Short: "Show the last lines that a server wrote to its standard error",
	}, func(ctx context.Context, server string, workbench int) error {
		return runningWorkbenches().Logs(ctx, server, workbench, follow)
	})
	command.Flags().BoolVarP(&follow, "follow", "f", false, "keep showing new lines, until Ctrl-C")
	return command
}

func newRestartCommand(options *options) *cobra.Command {
	return newServerCommand(options, &cobra.Command{
		Use:   "restart TOOLBOX/SERVER",
		Short: "Restart a server of a running workbench",
	}, func(ctx context.Context, server string, workbench int) error {
		return runningWorkbenches().Restart(ctx, server, workbench)
	})
}

// newServerCommand returns a command about a server of a running workbench.
func newServerCommand(options *options, command *cobra.Command, run func(ctx context.Context, server string, workbench int) error) *cobra.Command {
	var workbench int
	command.Flags().IntVar(&workbench, "pid", 0, "the process `id` of the workbench, if several have the server")
	command.Args, command.ValidArgsFunction = commandline.WordsBetween(1, 1, "name a server, as TOOLBOX/SERVER"), options.completing().Places(1)
	command.RunE = func(command *cobra.Command, args []string) error { return run(command.Context(), args[0], workbench) }
	return command
}

// runningWorkbenches returns the commands about the running workbenches of the user.
func runningWorkbenches() report.Commands {
	return report.Commands{Workbenches: status.NewWorkbenches(statusFolders()), Out: console.Out, Err: console.Err}
}

// statusFolders returns the folders with the sockets of workbenches.
func statusFolders() []string {
	state, _ := safefile.StateFolder() // without a home directory, other folders are used
	return usersocket.Folders(state)
}

// newBoard returns the board with the status of the workbench, nil if status is off.
func newBoard(configuration *config.Configuration, connector *sharing.Connector) *status.Board {
	if !configuration.Status {
		return nil
	}
	return status.NewBoard(version, configuration.Path, connector.End)
}

// listenForStatus lets the user's programs ask the board until stop is called.
func (p *preparation) listenForStatus(shared *process) (stop func()) {
	if shared.board == nil {
		return func() {}
	}
	listener := status.NewListener(statusFolders, shared.board, p.log)
	listener.Begin()
	return listener.Close
}

// show shows a host on the board until remove is called.
func (p *process) show(w *workbench, seen audience, transport, identity string) (remove func()) {
	return p.board.Add(status.Connection{
		Transport: transport, Identity: identity, Info: w.server.HostInfo, Open: w.opened.Names, Problems: p.current.Problems,
		Servers: w.sessions, Numbers: seen.numbers, Tools: w.known.Tools,
	})
}
