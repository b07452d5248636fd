package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/commandline"
	"mcp-workbench/adapters/setup"
)

func newRemoveCommand(options *options) *cobra.Command {
	toolbox := ""
	command := newChange(options, &cobra.Command{
		Use:     "remove NAME | TOOLBOX/NAME",
		Aliases: []string{"rm"},
		Short:   "Remove a server from the configuration",
		Long: `Remove a server from the configuration, which keeps its comments. A toolbox is removed
with its last server.

  mcp-workbench remove code/git`,
		Args:              commandline.WordsBetween(1, 1, "name a server; 'mcp-workbench list' shows servers"),
		ValidArgsFunction: options.completing().Configured(1),
	}, func(editor *setup.Editor, args []string, scope string) error {
		return editor.Remove(args[0], toolbox, scope)
	})
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server")
	options.completing().FlagToolbox(command)
	return command
}
