// Package completion completes words of the command line for a shell: toolboxes, servers, tools with their
// arguments, and hosts. It starts no servers and asks no questions.
package completion

import (
	"slices"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

const noFiles, noSpace = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoSpace

// Words completes words with names of the configuration. Without a usable configuration, and in a folder whose
// configuration is not trusted, there are no completions.
type Words struct {
	// Load loads the configuration.
	Load func() (*config.Configuration, error)
	// Seen returns the tools that commands listed with a configuration.
	Seen func(*config.Configuration) shell.SeenTools
}

// Places completes up to maximum words with the names of toolboxes and, after a slash, those of their
// servers.
func (w Words) Places(maximum int) cobra.CompletionFunc {
	return w.PlacesIn(maximum, func(c *config.Configuration) []domain.Toolbox { return c.Catalog.Toolboxes() })
}

// Configured is Places, and includes toolboxes and servers that are disabled.
func (w Words) Configured(maximum int) cobra.CompletionFunc {
	return w.PlacesIn(maximum, setup.Toolboxes)
}

// PlacesIn is Places for the toolboxes that a function returns.
func (w Words) PlacesIn(maximum int, toolboxes func(*config.Configuration) []domain.Toolbox) cobra.CompletionFunc {
	return w.offering(func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective) {
		if len(args) >= maximum {
			return nil, 0
		}
		return shell.Complete(toolboxes(configuration), begun, nil), noSpace
	})
}

// Call completes a tool that was listed before, and then its arguments.
func (w Words) Call() cobra.CompletionFunc {
	return w.offering(func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective) {
		offered, known := shell.CompleteCall(configuration.Catalog.Toolboxes(), args, begun, w.Seen(configuration))
		if !known {
			return nil, 0
		}
		return offered, noSpace
	})
}

// FlagToolbox completes the value of the flag --toolbox of a command.
func (w Words) FlagToolbox(command *cobra.Command) {
	_ = command.RegisterFlagCompletionFunc("toolbox", w.offering( // it only fails for a flag that does not exist
		func(configuration *config.Configuration, _ []string, _ string) ([]shell.Completion, cobra.ShellCompDirective) {
			return shell.CompleteToolboxes(setup.Toolboxes(configuration)), 0
		}))
}

// offering completes words with the completions that a function finds in the configuration.
func (w Words) offering(
	offer func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective),
) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		configuration, err := w.Load()
		if err != nil || configuration.Untrusted != nil {
			return nil, noFiles
		}
		offered, directive := offer(configuration, args, begun)
		var completions []cobra.Completion
		for _, found := range offered {
			completions = append(completions, cobra.CompletionWithDesc(found.Text, found.Description))
		}
		return completions, noFiles | directive
	}
}

// Hosts completes hosts that are not named yet, and files if orFiles is set.
func Hosts(orFiles bool) cobra.CompletionFunc {
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
