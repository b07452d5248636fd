package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
)

// editing returns the function of a command that changes files of the user.
func (o *options) editing(editor *setup.Editor, edit func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		sources, err := o.sources()
		if err != nil {
			return err
		}
		editor.Open(setup.Program{
			Console: console, Colour: o.colour, CommandLine: commandLine,
			Sources: sources, Transports: checkingTransports(),
			Load: o.loadForHosts, Schema: schemaOfConfiguration, State: safefile.StateFolder,
			Trust: o.consent(console.Err).Add, AskRegistry: o.askRegistry, Versions: newPackages(o.servers()).Versions,
			ReadPlugin: func(folder string) (*setup.Plugin, error) {
				user := o.consent(console.Err)
				reviewed, err := user.ReviewPlugin(sources, checkingTransports(), folder)
				if err != nil {
					return nil, err
				}
				return &setup.Plugin{
					Name: reviewed.Name, Version: reviewed.Version, Root: reviewed.Root,
					HasServers: len(reviewed.Servers) > 0, HasSkills: len(reviewed.Skills) > 0,
					Lines: reviewed.Lines, NeedsCare: reviewed.NeedsCare(), New: reviewed.New, Was: reviewed.Was, IsTrusted: reviewed.IsTrusted,
					Trust: func() error { return user.AddPlugin(reviewed) },
				}, nil
			},
		})
		return edit(args)
	}
}

// loadForHosts loads the configuration at path, or the one in use if path is "", for commands
// that write it into the files of hosts.
func (o *options) loadForHosts(path string, joins bool) (*config.Configuration, error) {
	trusting := o.trusting()
	trusting.from.JoinsProject = joins
	if path != "" {
		trusting.flags.Path = path
	}
	configuration, err := trusting.load(checkingTransports())
	if err != nil {
		return nil, unusable(err)
	}
	if configuration.Path == "" {
		return nil, &exitError{Code: exitConfiguration, Err: configuration.Missing()}
	}
	return configuration, nil
}

// completing returns the completion of words with names in the configuration.
func (o *options) completing() completions {
	return completions{
		Load: func() (*config.Configuration, error) { return o.inForce().load(checkingTransports()) },
		Seen: func(configuration *config.Configuration) shell.SeenTools { return newSeenTools(configuration) },
	}
}

// addWriteFlags adds the flags of commands that ask before they write.
func addWriteFlags(command *cobra.Command, editor *setup.Editor) {
	command.Flags().BoolVar(&editor.Yes, "yes", false, "write without asking")
	addDryFlags(command, editor)
	command.MarkFlagsMutuallyExclusive("yes", "dry-run")
}

// addDryFlags adds the flags of commands that write without asking.
func addDryFlags(command *cobra.Command, editor *setup.Editor) {
	command.Flags().BoolVar(&editor.DryRun, "dry-run", false, "show what would be written, and write nothing")
	command.Flags().BoolVar(&editor.AsJSON, "json", false, "print one JSON object ('mcp-workbench help hosts' describes it)")
}

// newChange returns a command that changes the configuration.
func newChange(options *options, command *cobra.Command, change func(editor *setup.Editor, args []string, scope string) error) *cobra.Command {
	editor, scope := &setup.Editor{}, ""
	command.RunE = options.editing(editor, func(args []string) error { return change(editor, args, scope) })
	addDryFlags(command, editor)
	command.Flags().StringVarP(&scope, "scope", "s", "", "user or project: fail if another configuration is in use")
	return command
}

// knownHosts is the last paragraph of the help of commands about hosts.
func knownHosts() string { return "\n\nHosts: " + strings.Join(hostfiles.IDs(), ", ") + "." }

// hostArguments returns a check that either hosts are named or all hosts are wanted.
func hostArguments(everyHost *bool) cobra.PositionalArgs {
	return func(_ *cobra.Command, hosts []string) error {
		return setup.CheckNamedHosts(hosts, *everyHost)
	}
}

// commandLine returns the command that was run, with one more flag.
func commandLine(flag string) string { return commandline.Again(os.Args[1:], flag) }
