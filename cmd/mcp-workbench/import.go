package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/completion"
	"mcp-workbench/adapters/setup"
)

func newImportCommand(options *options) *cobra.Command {
	editor, toolbox := &setup.Editor{}, ""
	command := &cobra.Command{
		Use:   "import [HOST|FILE…]",
		Short: "Import the servers of hosts into the configuration",
		Long: `Import servers from the files of hosts into toolboxes of the configuration: those of
the hosts and files that are named or, without a name, of every host on this machine.
Without a name, servers of the project in the working directory are imported only if the
command can ask. '-' is standard input. Servers that are in the configuration stay as
they are. The hosts' files are not changed: 'mcp-workbench connect --replace' does that.

  mcp-workbench import                          # every host on this machine
  mcp-workbench import claude-code --dry-run
  mcp-workbench import ./mcp.json --toolbox code

Values that look like secrets are never printed. If a variable of this environment has
the value, the configuration refers to it as "${NAME}". Other secrets are kept in the
configuration, which only you can read, unless it belongs to a project.` + knownHosts(),
		Args:              func(_ *cobra.Command, sources []string) error { return setup.CheckSources(sources) },
		ValidArgsFunction: completion.Hosts(true),
		RunE:              options.editing(editor, func(sources []string) error { return editor.Import(sources, toolbox) }),
	}
	addWriteFlags(command, editor)
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox for all servers (default: one that fits each)")
	options.completing().FlagToolbox(command)
	return command
}
