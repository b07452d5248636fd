package main

import (
	"errors"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/commandline"
)

func newMoveCommand(options *options) *cobra.Command {
	description, allowsOptions := "", false
	command := newChange(options, &cobra.Command{
		Use:               "move TOOLBOX/SERVER TOOLBOX[/NAME] | TOOLBOX NAME",
		Aliases:           []string{"mv", "rename"},
		Short:             "Move a server to another toolbox, or rename a toolbox or a server",
		Args:              commandline.WordsBetween(2, 2, "name what to move, and where to"),
		ValidArgsFunction: options.completing().Configured(2),
	}, func(editor *setup.Editor, args []string, scope string) error {
		editor.AllowOptions = allowsOptions
		return setup.Move(editor, args[0], args[1], description, scope)
	})
	command.Flags().BoolVar(&allowsOptions, "allow-options", false, "accept what needs care without a question")
	command.Flags().StringVar(&description, "description", "", "what a new toolbox is for")
	return command
}

func newDescribeCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:               "describe TOOLBOX [TEXT]",
		Short:             "Show or write the description of a toolbox, which the model reads",
		Args:              commandline.WordsBetween(1, 2, "name a toolbox; 'mcp-workbench list' shows toolboxes"),
		ValidArgsFunction: options.completing().Configured(1),
	}, func(editor *setup.Editor, args []string, scope string) error {
		if len(args) == 1 {
			inForce, err := options.inForce().load(checkingTransports())
			if err != nil {
				return unusable(err)
			}
			options.inForce().announce(inForce)
			return setup.PrintDescription(editor, inForce, args[0], scope)
		}
		return setup.DescribeToolbox(editor, args[0], args[1], scope)
	})
}

func newEnableCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:               "enable TOOLBOX[/SERVER]",
		Short:             "Enable a toolbox or a server that was disabled",
		Args:              commandline.WordsBetween(1, 1, "name a toolbox or a server; 'mcp-workbench list' shows those that are enabled"),
		ValidArgsFunction: options.completing().PlacesIn(1, setup.Disabled),
	}, func(editor *setup.Editor, args []string, scope string) error {
		return setup.Enable(editor, args[0], scope)
	})
}

func newDisableCommand(options *options) *cobra.Command {
	return newChange(options, &cobra.Command{
		Use:               "disable TOOLBOX[/SERVER]",
		Short:             "Leave a toolbox or a server out until it is enabled",
		Args:              commandline.WordsBetween(1, 1, "name a toolbox or a server; 'mcp-workbench list' shows them"),
		ValidArgsFunction: options.completing().PlacesIn(1, setup.Enabled),
	}, func(editor *setup.Editor, args []string, scope string) error {
		return setup.Disable(editor, args[0], scope)
	})
}

func newRemoveCommand(options *options) *cobra.Command {
	toolbox, withData := "", false
	command := newChange(options, &cobra.Command{
		Use:               "remove NAME | TOOLBOX/NAME | TOOLBOX",
		Aliases:           []string{"rm"},
		Short:             "Remove a server, or the toolbox of a plugin, from the configuration",
		Args:              commandline.WordsBetween(1, 1, "name a server; 'mcp-workbench list' shows servers"),
		ValidArgsFunction: options.completing().Configured(1),
	}, func(editor *setup.Editor, args []string, scope string) error {
		found, err := setup.RemovePlugin(editor, args[0], scope, withData)
		switch {
		case found || err != nil:
			return err
		case withData:
			return &setup.UsageError{Err: errors.New("--data is for a toolbox with a plugin")}
		}
		return setup.Remove(editor, args[0], toolbox, scope)
	})
	command.Flags().BoolVar(&withData, "data", false, "also remove the private folder of the plugin")
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server")
	options.completing().FlagToolbox(command)
	return command
}
