package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/setup"
)

func newRemoveCommand(options *options) *cobra.Command {
	editor, toolbox, scope := &setup.Editor{}, "", ""
	command := &cobra.Command{
		Use:     "remove NAME | TOOLBOX/NAME",
		Aliases: []string{"rm"},
		Short:   "Remove a server from the configuration",
		Long: `Remove a server from the configuration, which keeps its comments. A toolbox is removed
with its last server.`,
		Args: wordsBetween(1, 1),
		RunE: options.editing(editor, func(args []string) error { return editor.Remove(args[0], toolbox, scope) }),
	}
	addDryFlags(command, editor)
	addScopeFlag(command, &scope)
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server")
	return command
}
