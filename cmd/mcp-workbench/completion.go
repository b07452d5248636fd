package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/shell"
	"mcp-workbench/domain"
)

// addCompletion adds the library's command that prints scripts for shells. It refuses unknown
// shells, for which the library would print its help and succeed.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, command := range root.Commands() {
		if command.Name() != "completion" {
			continue
		}
		command.Short = "Print a script that completes commands and names in your shell"
		var shells []string
		for _, shell := range command.Commands() {
			shells = append(shells, shell.Name())
		}
		command.Args = func(_ *cobra.Command, args []string) error {
			known := strings.Join(shells, ", ")
			if len(args) == 0 {
				return fmt.Errorf("name a shell: %s", known)
			}
			return fmt.Errorf("unknown shell %q: use one of %s", args[0], known)
		}
		// Without it the library does not look at the arguments.
		command.RunE = func(*cobra.Command, []string) error { return errors.New("no shell is named") }
	}
}

// completePlaces completes the names of toolboxes, behind a slash those of their servers,
// and with tools, behind another, the tools that were seen last. It starts nothing and asks
// nothing. Without a usable configuration, and in a folder whose configuration is not trusted,
// there are no completions.
func completePlaces(options *options, tools bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		configuration, err := options.load(checkingTransports())
		if err != nil || configuration.Untrusted != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var toolsOf func(domain.Server) []string
		if tools {
			toolsOf = newSeenTools(configuration).Names
		}
		var places []cobra.Completion
		for _, found := range shell.Complete(configuration.Catalog.Toolboxes(), begun, toolsOf) {
			places = append(places, cobra.CompletionWithDesc(found.Text, found.Description))
		}
		return places, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
