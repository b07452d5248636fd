package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/application"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

func newListCommand(options *options) *cobra.Command {
	var asJSON bool
	var query string
	var servers sharedServers
	command := &cobra.Command{
		Use:               "list [TOOLBOX[/SERVER[/TOOL]]]",
		Aliases:           []string{"ls"},
		Short:             "Show toolboxes and servers, the tools of one, or what a tool takes",
		Args:              commandline.WordsBetween(0, 1, ""),
		ValidArgsFunction: options.completing().Places(1),
		RunE: func(command *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			switch isSearch := command.Flags().Changed("find"); {
			case isSearch && name != "":
				return &exitError{Code: exitUsage, Err: errors.New("--find searches every toolbox; leave out the name")}
			case isSearch && strings.TrimSpace(query) == "":
				return &exitError{Code: exitUsage, Err: errors.New("--find needs words, such as --find \"open an issue\"")}
			case isSearch:
				return findTools(*options, query, asJSON)
			}
			return list(command.Context(), *options, servers, name, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	servers.addFlags(command)
	command.Flags().StringVar(&query, "find", "", "show the tools that match these `WORDS` best")
	return command
}

// list runs the command.
func list(ctx context.Context, options options, servers sharedServers, name string, asJSON bool) error {
	options = options.inForce()
	if name != "" {
		options = options.visiting()
	}
	visit, err := newVisit(options)
	if err != nil {
		return err
	}
	defer visit.Close()
	paint := terminal.NewPaint(console.Out, options.colour)
	if name == "" {
		listing := shell.ListCatalog(visit.configuration.Catalog.WithSkills(), setup.Disabled(visit.configuration), visit.states(ctx))
		if len(listing.Toolboxes) == 0 && len(visit.configuration.Problems) == 0 {
			visit.screen.Print("mcp-workbench: no toolboxes yet: 'mcp-workbench init' imports the servers of your hosts, 'mcp-workbench add' adds one")
		}
		return visit.concluded(listing.Show(console.Out, visit.screen, asJSON, paint))
	}
	place, err := visit.find(name)
	if err != nil {
		return err
	}
	visit.giveUpSooner()
	visit.share(servers)
	var listed domain.OpenedToolbox
	each, isShown := func(domain.OpenedServer) {}, console.Out.Columns() > 0 && !asJSON && place.Tool == ""
	if isShown {
		each = func(server domain.OpenedServer) {
			_ = shell.ShowServer(place.Toolbox, server, console.Out, paint) // ShowListed fails too
		}
	}
	var warnings []string
	err = visit.withServers(ctx, func(ctx context.Context) (err error) {
		tools := visit.commandTools()
		listed, err = tools.List(ctx, place, each)
		warnings = tools.Warnings(listed)
		return err
	})
	if err != nil {
		return err
	}
	return visit.concluded(shell.ShowListed(listed, warnings, place, isShown, console.Out, visit.screen, asJSON, paint))
}

// states returns what is known of servers without starting one: from running workbenches with this configuration, and from
// what was listed before.
func (v *visit) states(ctx context.Context) func(domain.Server) string {
	process := newProcess(v.preparation)
	closed := application.NewClosedTools(process.pinning, process.listings)
	running := map[domain.ServerID]string{}
	answers, _ := status.NewWorkbenches(statusFolders()).Ask(ctx) // without an answer nothing is known of it
	for _, answer := range answers {
		if answer.Snapshot == nil || answer.Snapshot.Configuration != v.configuration.Path {
			continue
		}
		for _, host := range answer.Snapshot.Hosts {
			for _, server := range host.Servers {
				id := domain.ServerID{Toolbox: domain.ToolboxName(server.Toolbox), Server: domain.ServerName(server.Name)}
				if state := runningState(id, server); state != "" {
					running[id] = state
				}
			}
		}
	}
	return func(server domain.Server) string {
		if server.Unset != nil {
			return "needs " + server.Unset.Variable
		}
		if state, isKnown := running[server.ID]; isKnown {
			return state
		}
		if tools := closed.Tools(server); tools != nil {
			return domain.Counted(len(tools), "tool")
		}
		return "never listed"
	}
}

// runningState returns the state of a server in a running workbench as list shows it, "" for one that is not up.
func runningState(id domain.ServerID, server status.Server) string {
	switch sessions.State(server.State) {
	case sessions.StateStarting, sessions.StateRunning, sessions.StateIdle:
		return server.State
	case sessions.StateWaitsForLogin:
		return "needs 'mcp-workbench login " + id.Path() + "'"
	case sessions.StateFailed:
		if server.LastError != nil {
			return "failed: " + server.LastError.Outcome + ", see 'mcp-workbench logs " + id.Path() + "'"
		}
		return "failed, see 'mcp-workbench logs " + id.Path() + "'"
	}
	return ""
}

// findTools runs the command with --find.
func findTools(options options, query string, asJSON bool) error {
	visit, err := newVisit(options.inForce())
	if err != nil {
		return err
	}
	defer visit.Close()
	return visit.concluded(shell.Found(visit.finder().FindTools(query)).Show(console.Out, visit.screen, asJSON, terminal.NewPaint(console.Out, options.colour)))
}
