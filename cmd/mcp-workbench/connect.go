package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles/setup"
)

func newConnectCommand(options *options) *cobra.Command {
	editor, wanted := &setup.Editor{}, setup.Wanted{}
	command := &cobra.Command{
		Use:               "connect HOST…",
		Short:             "Add the workbench to the files of hosts",
		Long:              knownHosts(),
		Args:              hostArguments(&wanted.EveryHost),
		ValidArgsFunction: hostCompletion(false),
		RunE:              options.editing(editor, func(hosts []string) error { return setup.Connect(editor, hosts, wanted) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&wanted.EveryHost, "all", false, "every host on this machine")
	command.Flags().BoolVar(&wanted.Replaces, "replace", false, "remove servers that are in the configuration from the host's file")
	command.Flags().StringVar(&wanted.Toolboxes, "toolbox", "", "let the hosts see these `toolboxes` only, such as files,web")
	command.Flags().BoolVar(&wanted.Skills, "skills", false, "write a skill for each toolbox, for the host's shell, in place of the entry")
	command.Flags().StringVarP(&wanted.Scope, "scope", "s", "", "with --skills: `user` or project, whose folder they go into (default: that of the configuration)")
	command.Flags().StringVar(&wanted.Address.URL, "url", "", "connect to the workbench at this `address` ('mcp-workbench help team')")
	command.Flags().StringVar(&wanted.Address.Token, "token-env", "", "with --url: the `variable` with the token for the address")
	command.MarkFlagsMutuallyExclusive("url", "replace")
	command.MarkFlagsMutuallyExclusive("url", "toolbox")
	command.MarkFlagsMutuallyExclusive("url", "skills")
	command.MarkFlagsMutuallyExclusive("replace", "skills")
	_ = command.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project"}, noFiles)) // it only fails for a flag that does not exist
	return command
}

func newDisconnectCommand(options *options) *cobra.Command {
	editor, everyHost := &setup.Editor{}, false
	command := &cobra.Command{
		Use:               "disconnect HOST…",
		Short:             "Remove the workbench from the files of hosts",
		Long:              knownHosts(),
		Args:              hostArguments(&everyHost),
		ValidArgsFunction: hostCompletion(false),
		RunE:              options.editing(editor, func(hosts []string) error { return setup.Disconnect(editor, hosts, everyHost) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&everyHost, "all", false, "every host that has the workbench")
	return command
}
