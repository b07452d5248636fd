package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/completion"
	"mcp-workbench/adapters/setup"
)

func newConnectCommand(options *options) *cobra.Command {
	editor, wanted := &setup.Editor{}, setup.Wanted{}
	command := &cobra.Command{
		Use:   "connect HOST…",
		Short: "Add the workbench to the files of hosts",
		Long: `Add the workbench to the file in which a host keeps its MCP servers: this program,
with the configuration in use, or with --url a workbench that listens there. Everything
else in the file stays as it is. The command shows the change and asks.
'mcp-workbench disconnect' undoes it.

  mcp-workbench connect cursor
  mcp-workbench connect claude-code --toolbox files,web
  mcp-workbench connect --all --replace    # and remove the servers that are in the configuration
  mcp-workbench connect codex --url https://mcp.example.com/mcp --token-env WORKBENCH_TOKEN` + knownHosts(),
		Args:              hostArguments(&wanted.EveryHost),
		ValidArgsFunction: completion.Hosts(false),
		RunE:              options.editing(editor, func(hosts []string) error { return editor.Connect(hosts, wanted) }),
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&wanted.EveryHost, "all", false, "every host on this machine")
	command.Flags().BoolVar(&wanted.Replaces, "replace", false, "remove servers from the host's file that are in the configuration")
	command.Flags().StringVar(&wanted.Toolboxes, "toolbox", "", "let the hosts see these `toolboxes` only, such as files,web")
	command.Flags().StringVar(&wanted.Address.URL, "url", "", "connect to the workbench at this `address` ('mcp-workbench help team')")
	command.Flags().StringVar(&wanted.Address.Token, "token-env", "", "with --url: the `variable` with the token for the address")
	command.MarkFlagsMutuallyExclusive("url", "replace")
	command.MarkFlagsMutuallyExclusive("url", "toolbox")
	return command
}
