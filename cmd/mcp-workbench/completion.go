package main

import (
	"slices"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/setup"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/domain"
)

const noFiles, noSpace = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoSpace

// offering completes words by what a function offers of the configuration. It starts nothing and
// asks nothing. Without a usable configuration, and in a folder whose configuration is not
// trusted, there are no completions.
func offering(
	options *options, offer func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective),
) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		configuration, err := options.load(checkingTransports())
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

// completePlaces completes the first words, as many as maximum: the names of toolboxes, and behind a
// slash those of their servers.
func completePlaces(options *options, maximum int) cobra.CompletionFunc {
	return completeIn(options, maximum, func(c *config.Configuration) []domain.Toolbox { return c.Catalog.Toolboxes() })
}

// completeConfigured is completePlaces with toolboxes and servers that are disabled.
func completeConfigured(options *options, maximum int) cobra.CompletionFunc {
	return completeIn(options, maximum, setup.Toolboxes)
}

func completeIn(options *options, maximum int, toolboxes func(*config.Configuration) []domain.Toolbox) cobra.CompletionFunc {
	return offering(options, func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective) {
		if len(args) >= maximum {
			return nil, 0
		}
		return shell.Complete(toolboxes(configuration), begun, nil), noSpace
	})
}

// completeTools completes a tool that was seen last, and then its arguments.
func completeTools(options *options) cobra.CompletionFunc {
	return offering(options, func(configuration *config.Configuration, args []string, begun string) ([]shell.Completion, cobra.ShellCompDirective) {
		seen, toolboxes := newSeenTools(configuration), configuration.Catalog.Toolboxes()
		offered, known := shell.CompleteCall(toolboxes, args, begun, seen)
		if !known {
			return nil, 0
		}
		return offered, noSpace
	})
}

// completeToolboxes completes the value of a flag that is a toolbox.
func completeToolboxes(options *options, command *cobra.Command) {
	_ = command.RegisterFlagCompletionFunc("toolbox", offering(options, // fails for a flag that does not exist
		func(configuration *config.Configuration, _ []string, _ string) ([]shell.Completion, cobra.ShellCompDirective) {
			return shell.CompleteToolboxes(setup.Toolboxes(configuration)), 0
		}))
}

// completeHosts completes hosts that are not named yet, and files where the directive allows it.
func completeHosts(directive cobra.ShellCompDirective) cobra.CompletionFunc {
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
