package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"mcp-workbench/domain"
)

// addCompletion adds the library's command that prints scripts for shells. It is told to
// refuse a shell that it does not know, in place of printing its help as if all were
// well.
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
// and with tools, behind another, the tools that were last seen. It starts and asks nothing;
// without a configuration that can be used, and in a folder with one that is not trusted, there is
// nothing to complete.
func completePlaces(options *options, tools bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		configuration, err := options.load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
		if err != nil || configuration.Untrusted != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		seen := readSeenTools()
		var places []cobra.Completion
		offer := func(place, description string) {
			if !mayRun(place) {
				places = append(places, cobra.CompletionWithDesc(place, description))
			}
		}
		for _, toolbox := range configuration.Catalog.Toolboxes() {
			name := string(toolbox.Name)
			if !strings.HasPrefix(begun, name+"/") {
				offer(name+"/", domain.ReviewLine(toolbox.Description))
				continue
			}
			for _, server := range toolbox.Servers {
				place := server.ID.Path()
				if !tools {
					offer(place, "")
					continue
				}
				offer(place+"/", "")
				for _, tool := range seen.toolsOf(configuration.Path, server.ID) {
					offer(place+"/"+tool, "")
				}
			}
		}
		return places, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// mayRun reports whether a shell may take a name for more than a word. The scripts hand the line
// to "eval", so nothing but letters, digits and what paths are made of is offered: names come
// from servers and from files of others. It is asked before the description is there, since the
// library parts the two by a tab, which a name may have, too.
func mayRun(name string) bool {
	return strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(r rune) bool {
		isWord := (unicode.IsLetter(r) || unicode.IsDigit(r)) && !domain.Unseen(r)
		return !isWord && !strings.ContainsRune("-_.@+/", r)
	})
}
