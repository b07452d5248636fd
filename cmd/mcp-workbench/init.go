package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/commandline"
	"mcp-workbench/adapters/setup"
)

func newInitCommand(options *options) *cobra.Command {
	editor := &setup.Editor{}
	command := &cobra.Command{
		Use:   "init",
		Short: "Create a configuration from the servers of the hosts on this machine",
		Long: `Create the configuration: find the hosts on this machine and their servers, put the
servers into toolboxes, and connect the hosts. In a terminal the command shows
everything and asks. Without one, and with --yes, it imports your own servers, but not
those of the project in the working directory, and connects no host; 'mcp-workbench
connect --all --replace' connects them.

The configuration is written into the user's configuration directory, or to the file
that --config names. Its JSON Schema is written beside it, so that editors complete and
explain keys. An existing configuration is never overwritten.

  mcp-workbench init              # asks before it writes
  mcp-workbench init --dry-run`,
		Args: commandline.NoWords,
		RunE: options.editing(editor, func([]string) error { return editor.Init() }),
	}
	addWriteFlags(command, editor)
	return command
}
