package main

import (
	"math"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
)

func newUpdateCommand(options *options) *cobra.Command {
	editor, wish := &setup.Editor{}, setup.Updating{}
	command := &cobra.Command{
		Use:               "update [TOOLBOX/SERVER…]",
		Short:             "Show what newer versions of servers of the MCP registry change, and take them",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: options.completing().Places(math.MaxInt),
	}
	command.RunE = func(command *cobra.Command, names []string) error {
		wish.Names = names
		return options.editing(editor, func([]string) error { return editor.Update(command.Context(), wish) })(command, names)
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&wish.Check, "check", false, "only tell; exit code 1 if something is newer, deprecated or deleted")
	command.Flags().BoolVar(&wish.AllowOptions, "allow-options", false, "with --yes, accept what needs care too")
	addRegistryFlag(command, options)
	return command
}
