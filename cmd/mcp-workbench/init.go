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
		return options.editing(editor, func([]string) error { return setup.Init(command.Context(), editor) })(command, words)
	}
	addWriteFlags(command, editor)
	return command
}

func newImportCommand(options *options) *cobra.Command {
	editor, toolbox := &setup.Editor{}, ""
	command := &cobra.Command{
		Use:               "import [HOST|FILE…]",
		Short:             "Import the servers of hosts into the configuration",
		Long:              knownHosts(),
		Args:              func(_ *cobra.Command, sources []string) error { return setup.CheckSources(sources) },
		ValidArgsFunction: hostCompletion(true),
		RunE:              options.editing(editor, func(sources []string) error { return setup.Import(editor, sources, toolbox) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&editor.AllowOptions, "allow-options", false, "with --yes, accept what needs care too")
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox for all servers (default: one that fits each)")
	options.completing().FlagToolbox(command)
	return command
}
