package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
)

func newDisconnectCommand(options *options) *cobra.Command {
	editor, everyHost := &setup.Editor{}, false
	command := &cobra.Command{
		Use:               "disconnect HOST…",
		Short:             "Remove the workbench from the files of hosts",
		Long:              knownHosts(),
		Args:              hostArguments(&everyHost),
		ValidArgsFunction: hostCompletion(false),
		RunE:              options.editing(editor, func(hosts []string) error { return editor.Disconnect(hosts, everyHost) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&everyHost, "all", false, "every host that has the workbench")
	return command
}
