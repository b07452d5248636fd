package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/commandline"
)

func newRemoveCommand(options *options) *cobra.Command {
	toolbox := ""
	command := newChange(options, &cobra.Command{
		Use:               "remove NAME | TOOLBOX/NAME",
		Aliases:           []string{"rm"},
		Short:             "Remove a server from the configuration",
		Args:              commandline.WordsBetween(1, 1, "name a server; 'mcp-workbench list' shows servers"),
		ValidArgsFunction: options.completing().Configured(1),
	}, func(editor *setup.Editor, args []string, scope string) error {
		return editor.Remove(args[0], toolbox, scope)
	})
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server")
	options.completing().FlagToolbox(command)
	return command
}
