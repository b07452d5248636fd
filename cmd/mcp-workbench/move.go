package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/commandline"
	"mcp-workbench/adapters/setup"
)

func newMoveCommand(options *options) *cobra.Command {
	description := ""
	command := newChange(options, &cobra.Command{
		Use:     "move TOOLBOX/SERVER TOOLBOX[/NAME] | TOOLBOX NAME",
		Aliases: []string{"mv", "rename"},
		Short:   "Move a server to another toolbox, or rename a toolbox or a server",
		Long: `Move a server to another toolbox, or give a toolbox or a server another name, in the
configuration, which keeps its comments. A toolbox that does not exist is created, and one that is
left without a server is removed. Patterns of "confirm" and "readOnly" and the lock that
name the old place name the new one, and so do tokens if a toolbox gets another name.
Logins stay. The command says what else changes.

  mcp-workbench move files/git code
  mcp-workbench move files/git code/repository
  mcp-workbench move files disk`,
		Args:              commandline.WordsBetween(2, 2, "name what moves, and where"),
		ValidArgsFunction: options.completing().Configured(2),
	}, func(editor *setup.Editor, args []string, scope string) error {
		return editor.Move(args[0], args[1], description, scope)
	})
	command.Flags().StringVar(&description, "description", "", "what a new toolbox is for")
	return command
}

func newDescribeCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:   "describe TOOLBOX [TEXT]",
		Short: "Show or write the description of a toolbox, which the model reads",
		Long: `Write the description of a toolbox into the configuration, which keeps its comments.
The model reads it to decide which toolbox to open. "" removes it. Without a text, the
command prints the description, and how much of descriptions the known hosts pass on.

  mcp-workbench describe files "Read and write files of this project"
  mcp-workbench describe files`,
		Args:              commandline.WordsBetween(1, 2, "name a toolbox; 'mcp-workbench list' shows toolboxes"),
		ValidArgsFunction: options.completing().Configured(1),
	}, func(editor *setup.Editor, args []string, scope string) error {
		if len(args) == 1 {
			return editor.PrintDescription(args[0], scope)
		}
		return editor.Describe(args[0], args[1], scope)
	})
}

func newEnableCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:   "enable TOOLBOX[/SERVER]",
		Short: "Enable a toolbox or a server that was disabled",
		Long: `Enable a toolbox or a server that was disabled. A running workbench treats its servers
as new ones: with "pinning": "block" or "packages": "locked" they start after its next
start.

  mcp-workbench enable office
  mcp-workbench enable office/mail`,
		Args:              commandline.WordsBetween(1, 1, "name a toolbox or a server; 'mcp-workbench list' shows those that are enabled"),
		ValidArgsFunction: options.completing().PlacesIn(1, setup.Disabled),
	}, func(editor *setup.Editor, args []string, scope string) error { return editor.Enable(args[0], scope) })
}

func newDisableCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:   "disable TOOLBOX[/SERVER]",
		Short: "Leave a toolbox or a server out until it is enabled",
		Long: `Leave a toolbox or a server out until 'mcp-workbench enable'. Its settings stay in the
configuration and are not checked, so this also works for one that has a mistake. Calls in
progress finish.

  mcp-workbench disable office
  mcp-workbench disable office/mail`,
		Args:              commandline.WordsBetween(1, 1, "name a toolbox or a server; 'mcp-workbench list' shows them"),
		ValidArgsFunction: options.completing().PlacesIn(1, setup.Enabled),
	}, func(editor *setup.Editor, args []string, scope string) error { return editor.Disable(args[0], scope) })
}
