package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/commandline"
)

func newInitCommand(options *options) *cobra.Command {
	editor := &setup.Editor{}
	command := &cobra.Command{
		Use:   "init",
		Short: "Create a configuration from the servers of the hosts on this machine",
		Args:  commandline.NoWords,
	}
	command.RunE = func(command *cobra.Command, words []string) error {
		return options.editing(editor, func([]string) error { return editor.Init(command.Context()) })(command, words)
	}
	addWriteFlags(command, editor)
	return command
}
