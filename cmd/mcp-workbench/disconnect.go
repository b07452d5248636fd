package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/completion"
	"mcp-workbench/adapters/setup"
)

func newDisconnectCommand(options *options) *cobra.Command {
	editor, everyHost := &setup.Editor{}, false
	command := &cobra.Command{
		Use:   "disconnect HOST…",
		Short: "Remove the workbench from the files of hosts",
		Long: `Remove the workbench from the file of a host. If nothing else changed since 'connect',
the file is restored byte for byte. Otherwise only the workbench's entry is removed, and
the servers that 'connect --replace' removed are added again.

  mcp-workbench disconnect cursor
  mcp-workbench disconnect --all` + knownHosts(),
		Args:              hostArguments(&everyHost),
		ValidArgsFunction: completion.Hosts(false),
		RunE:              options.editing(editor, func(hosts []string) error { return editor.Disconnect(hosts, everyHost) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&everyHost, "all", false, "every host that has the workbench")
	return command
}
