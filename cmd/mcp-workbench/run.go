package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
)

// run runs the command line and returns the exit code.
func run(args []string) int {
	root := newRootCommand()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(context.Background())
	if err == nil {
		err, _ = command.Context().Value(helpFailure{}).(error)
	}
	return reportExit(console, command.CommandPath(), err)
}

// addServingFlags adds the flags for serving hosts to a command.
func addServingFlags(command *cobra.Command, options *options) {
	flags := command.Flags()
	notEmpty := commandline.NotEmpty(flags)
	flags.BoolVar(&options.flags.Strict, "strict", false, "refuse a configuration with problems instead of serving the rest of it")
	notEmpty(&options.flags.LogFile, "log-file", "write the log to this `file` too")
	flags.StringArrayVar(&options.flags.Toolboxes, "toolbox", nil, "serve these `toolboxes` only, such as files,web")
	notEmpty(&options.http, "http", "serve many hosts over HTTP at this `address`, such as 127.0.0.1:7345")
	flags.StringArrayVar(&options.access.AllowHosts, "allow-host", nil, "with --http: accept requests for this `host` name too, such as mcp.example.com")
	flags.StringArrayVar(&options.access.AllowOrigins, "allow-origin", nil, "with --http: accept requests from web pages of this `origin` too")
	notEmpty(&options.access.Certificate, "tls-cert", "with --http: serve HTTPS with the certificate in this `file`")
	notEmpty(&options.access.Key, "tls-key", "the key of that certificate, in a `file`")
	flags.BoolVar(&options.stdio, "stdio", false, "with --http: serve one host on standard input and output too")
}

// withCode returns the function of a command with exit codes in its errors.
func withCode(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error { return withExitCode(run(command, args)) }
}

// otherCommands is the title of a group of commands.
const otherCommands = "Other commands:"

// newRootCommand returns the command line. The program without a command serves a host, as serve does.
func newRootCommand() *cobra.Command {
	var options options
	serves := withCode(func(command *cobra.Command, _ []string) error {
		options.from.Lenient, options.from.JoinsProject, options.serves = true, true, true
		return serve(command.Context(), options)
	})
	root := &cobra.Command{
		Use:   "mcp-workbench",
		Short: "An MCP server that puts all your MCP servers behind two tools, grouped into toolboxes",
		Long: `An MCP server that puts all your MCP servers behind two tools, grouped into toolboxes.

Without a command it serves a host on standard input and output. 'mcp-workbench
help configuration' says where the configuration is found and what is in it.`,
		Args:          commandline.NoCommand,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          serves,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if options.flags.IfTrusted && options.flags.Path == "" {
				return errors.New("--if-trusted goes with --config")
			}
			return terminal.CheckColourMode(options.colour)
		},
	}
	root.SetOut(console.Out)
	root.SetErr(console.Err)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(commandline.FlagError)
	flags := root.PersistentFlags()
	flags.StringVar(&options.flags.Path, "config", "", "configuration `file`")
	flags.BoolVar(&options.flags.IfTrusted, "if-trusted", false, "use the file of --config only as you trusted it ('mcp-workbench trust'), as the file of a folder")
	flags.BoolVar(&options.flags.AllowForeign, "allow-foreign-config", false, "use the named file even if others can change it, and so decide which programs run")
	flags.StringVar(&options.flags.LogLevel, "log-level", "", "what to log on stderr: debug, info, warn or error (default warn)")
	flags.StringVar(&options.colour, "color", "auto", "when to use colour: "+strings.Join(terminal.ColourModes(), ", "))
	addServingFlags(root, &options)
	root.Flags().BoolP("version", "v", false, "print the version")
	serve := &cobra.Command{
		Use: "serve", Short: "Serve a host on standard input and output (the default), or many over HTTP",
		Args: commandline.NoWords, RunE: serves,
	}
	addServingFlags(serve, &options)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Set up:", []*cobra.Command{
			newInitCommand(&options), newSearchCommand(&options), newAddCommand(&options), newAddJSONCommand(&options), newUpdateCommand(&options), newRemoveCommand(&options),
			newMoveCommand(&options), newDescribeCommand(&options), newEnableCommand(&options), newDisableCommand(&options),
			newImportCommand(&options), newConnectCommand(&options), newDisconnectCommand(&options), newPluginCommand(&options),
		}},
		{"Use:", []*cobra.Command{serve, newListCommand(&options), newCallCommand(&options), newReadCommand(&options), newAllowCommand(&options)}},
		{"Watch:", []*cobra.Command{
			newStatusCommand(), newCallsCommand(&options), newUsageCommand(&options), newUICommand(&options),
			newLogsCommand(&options), newRestartCommand(&options), newStopCommand(),
		}},
		{"Check and review:", []*cobra.Command{
			newDoctorCommand(&options), newValidateCommand(&options), newTrustCommand(&options), newLockCommand(&options),
		}},
		{"Remote servers:", []*cobra.Command{newLoginCommand(&options), newLogoutCommand(&options)}},
		{otherCommands, []*cobra.Command{newDemoCommand(), newDemoServerCommand(), newSchemaCommand(), newVersionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, command := range group.commands {
			command.GroupID, command.RunE = group.title, withCode(command.RunE)
			command.Long = longHelp(command.Name()) + command.Long
			root.AddCommand(command)
		}
	}
	addCompletionCommand(root, otherCommands)
	topics := topics()
	root.SetHelpFunc(topics.PrintHelp)
	root.AddCommand(topics.Commands()...)
	help := topics.NewHelpCommand()
	help.GroupID = otherCommands
	root.SetHelpCommand(help)
	return root
}
