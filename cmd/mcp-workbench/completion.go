package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

const noFiles, noSpace = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoSpace

// completions completes words of the command line with names of the configuration. Without a usable configuration,
// and in a folder whose configuration is not trusted, there are no completions.
type completions struct {
	// Load loads the configuration.
	Load func() (*config.Configuration, error)
	// Seen returns the tools that commands listed with a configuration.
	Seen func(*config.Configuration) shell.SeenTools
}

// Places completes up to maximum words with the names of toolboxes and, after a slash, those of their
// servers.
func (c completions) Places(maximum int) cobra.CompletionFunc {
	return c.PlacesIn(maximum, func(c *config.Configuration) []domain.Toolbox { return c.Catalog.Toolboxes() })
}

// Configured is Places, and includes toolboxes and servers that are disabled.
func (c completions) Configured(maximum int) cobra.CompletionFunc {
	return c.PlacesIn(maximum, setup.Toolboxes)
}

// PlacesIn is Places for the toolboxes that a function returns.
func (c completions) PlacesIn(maximum int, toolboxes func(*config.Configuration) []domain.Toolbox) cobra.CompletionFunc {
	return c.offering(func(configuration *config.Configuration, args []string, begun string) []shell.Completion {
		if len(args) >= maximum {
			return nil
		}
		return shell.Complete(toolboxes(configuration), begun, nil)
	})
}

// Call completes a tool that was listed before, and then its arguments.
func (c completions) Call() cobra.CompletionFunc {
	return c.offering(func(configuration *config.Configuration, args []string, begun string) []shell.Completion {
		return shell.CompleteCall(configuration.Catalog.Toolboxes(), args, begun, c.Seen(configuration))
	})
}

// FlagToolbox completes the value of the flag --toolbox of a command.
func (c completions) FlagToolbox(command *cobra.Command) {
	_ = command.RegisterFlagCompletionFunc("toolbox", c.offering( // it only fails for a flag that does not exist
		func(configuration *config.Configuration, _ []string, _ string) []shell.Completion {
			return shell.CompleteToolboxes(setup.Toolboxes(configuration))
		}))
}

// offering completes words with the completions that a function finds in the configuration. The shell adds a space
// after a whole word.
func (c completions) offering(
	offer func(configuration *config.Configuration, args []string, begun string) []shell.Completion,
) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		configuration, err := c.Load()
		if err != nil || configuration.Untrusted != nil {
			return nil, noFiles
		}
		var completions []cobra.Completion
		var directive cobra.ShellCompDirective
		for _, found := range offer(configuration, args, begun) {
			completions = append(completions, cobra.CompletionWithDesc(found.Text, found.Description))
			if strings.HasPrefix(found.Text, begun) && strings.HasSuffix(found.Text, "/") || strings.HasSuffix(found.Text, "=") {
				directive = noSpace
			}
		}
		return completions, noFiles | directive
	}
}

// hostCompletion completes hosts that are not named yet, and files if orFiles is set.
func hostCompletion(orFiles bool) cobra.CompletionFunc {
	directive := noFiles
	if orFiles {
		directive = cobra.ShellCompDirectiveDefault
	}
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var completions []cobra.Completion
		for _, host := range hostfiles.Hosts() {
			if !slices.Contains(args, host.ID) {
				completions = append(completions, cobra.CompletionWithDesc(host.ID, host.Name))
			}
		}
		return completions, directive
	}
}

// addCompletionCommand adds the library's command that prints scripts for shells to a group, with the help and the errors of this
// program. The other commands must have been added.
func addCompletionCommand(root *cobra.Command, group string) {
	root.InitDefaultCompletionCmd()
	command, _, _ := root.Find([]string{"completion"}) // it was just added
	command.Short = "Print a script that completes commands and names in your shell"
	command.Long, command.GroupID = longHelp("completion"), group
	var shells []string
	for _, shell := range command.Commands() {
		shells = append(shells, shell.Name())
		shell.Short, shell.Long, shell.Args = "Print the script for "+shell.Name(), command.Long, commandline.NoWords
	}
	command.Args = func(_ *cobra.Command, words []string) error {
		known := strings.Join(shells, ", ")
		if len(words) == 0 {
			return fmt.Errorf("name a shell: %s", known)
		}
		return fmt.Errorf("unknown shell %q: use one of %s", words[0], known)
	}
	// Without RunE the library does not check the arguments.
	command.RunE = func(command *cobra.Command, words []string) error { return command.Args(command, words) }
}
