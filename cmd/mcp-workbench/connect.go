package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/setup"
)

func newConnectCommand(options *options) *cobra.Command {
	editor, everyHost, replaces := &setup.Editor{}, false, false
	command := &cobra.Command{
		Use:   "connect HOST…",
		Short: "Add the workbench to the files of hosts",
		Long: `Add the workbench to the file in which a host keeps its MCP servers: this program,
with the configuration in use. Everything else in the file stays as it is. The command
shows the change and asks. 'mcp-workbench disconnect' undoes it.` + knownHosts(),
		Args: hostArguments(&everyHost),
		RunE: options.editing(editor, func(hosts []string) error { return editor.Connect(hosts, everyHost, replaces) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&everyHost, "all", false, "every host on this machine")
	command.Flags().BoolVar(&replaces, "replace", false, "remove servers from the host's file that are in the configuration")
	return command
}
