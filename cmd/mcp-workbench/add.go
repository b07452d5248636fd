package main

import (
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/domain/serverconfig"
)

func newAddCommand(options *options) *cobra.Command {
	add := newAdding(options, &cobra.Command{
		Use:   "add NAME[@VERSION] [NAME=value…] | add NAME [flags] -- COMMAND ARGS… | add NAME URL",
		Short: "Add a server, from the MCP registry by its name or any other",
	})
	var described setup.DescribedServer
	add.Args = func(command *cobra.Command, args []string) error {
		isPublished, err := add.published.read(command, args, &described)
		if err == nil && !isPublished {
			add.server, err = described.Server(args, command.ArgsLenAtDash())
		}
		return err
	}
	add.published.addFlags(add.Command, options)
	add.SetFlagErrorFunc(commandline.AddFlagError)
	flags := add.Flags()
	flags.StringArrayVarP(&described.Env, "env", "e", nil, "a variable for the program: `KEY=VALUE`, or KEY for the value of the host's environment")
	flags.StringArrayVarP(&described.Headers, "header", "H", nil, "a header for the address: `'Name: value'`")
	flags.StringVarP(&described.Transport, "transport", "t", "", "stdio, http or sse")
	flags.StringVar(&described.URL, "url", "", "the `address` of the server, in place of the argument URL")
	flags.StringVar(&described.TokenVariable, "bearer-token-env-var", "", "the `NAME` of the variable with the token for the address")
	flags.StringVar(&described.Cwd, "cwd", "", "the folder in which the program is started")
	flags.StringVar(&described.ClientID, "client-id", "", "the id of an OAuth client that is registered with the server")
	flags.StringVar(&described.ClientSecret, "client-secret", "", "the secret of that client, as `'${NAME}'`; if the flag has no value, ${MCP_CLIENT_SECRET}")
	flags.Lookup("client-secret").NoOptDefVal = "${MCP_CLIENT_SECRET}" // the variable that Claude Code uses
	flags.StringVar(&described.Issuer, "issuer", "", "the `address` of the authorization server that may get the secret")
	flags.StringVar(&described.CallbackPort, "callback-port", "", "the `port` that the browser is redirected to after a login")
	return add.Command
}

// newAddJSONCommand returns the counterpart of 'claude mcp add-json'.
func newAddJSONCommand(options *options) *cobra.Command {
	add := newAdding(options, &cobra.Command{
		Use:    "add-json NAME JSON",
		Short:  "Add a server to the configuration, from JSON as in the file of a host",
		Hidden: true,
	})
	add.Args = func(command *cobra.Command, args []string) (err error) {
		if err = commandline.WordsBetween(2, 2, "name the server, and write its settings as JSON")(command, args); err == nil {
			add.server, err = hostfiles.ParseServer(args[0], []byte(args[1]))
		}
		return err
	}
	return add.Command
}

// adding is a command that adds the server that its arguments describe.
type adding struct {
	*cobra.Command
	server    serverconfig.Server
	published publishing
}

func newAdding(options *options, command *cobra.Command) *adding {
	var toolbox, description string
	add := &adding{}
	add.Command = newChange(options, command, func(editor *setup.Editor, _ []string, scope string) error {
		if wish := add.published.wish; wish.Name != "" {
			wish.Toolbox, wish.Description, wish.Scope = toolbox, description, scope
			return add.published.add(command, editor, options, wish)
		}
		return editor.Add(add.server, toolbox, description, scope)
	})
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server (default: one that fits)")
	command.Flags().StringVar(&description, "description", "", "what a new toolbox is for")
	options.completing().FlagToolbox(command)
	return add
}
