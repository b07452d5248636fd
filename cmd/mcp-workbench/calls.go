package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/report"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/domain"
)

func newCallsCommand(options *options) *cobra.Command {
	var calls report.Calls
	var since string
	command := &cobra.Command{
		Use:               "calls [TOOLBOX[/SERVER[/TOOL]]]",
		Short:             "Show the recorded calls of all hosts, or new ones as they come",
		Args:              commandline.WordsBetween(0, 1, ""),
		ValidArgsFunction: options.completing().Places(1),
		RunE: func(command *cobra.Command, words []string) (err error) {
			calls.Place = strings.TrimSuffix(strings.Join(words, ""), "/")
			if since != "" {
				if calls.Since, err = report.ParseSpan(since); err != nil {
					return &exitError{Code: exitUsage, Err: err}
				}
			}
			calls.Toolboxes = options.toolboxes()
			ctx, _, stop := untilSignal(command.Context())
			defer stop()
			return calls.Print(ctx, activity.NewReader(recordedIn()), console.Out, console.Err, terminal.NewPaint(console.Out, options.colour))
		},
	}
	command.Flags().BoolVar(&calls.Follow, "follow", false, "keep showing new calls, until Ctrl-C")
	command.Flags().StringVar(&since, "since", "", "how far to look back: a `time` such as 90s, 30m, 1h or 30d")
	command.Flags().BoolVar(&calls.Failed, "failed", false, "show only what failed")
	command.Flags().BoolVar(&calls.AsJSON, "json", false, "print one JSON object a line")
	return command
}

func newUsageCommand(options *options) *cobra.Command {
	var since string
	var asJSON bool
	command := &cobra.Command{
		Use:   "usage",
		Short: "Show how tools are used, and which cost tokens without being used",
		Args:  commandline.NoWords,
		RunE:  func(*cobra.Command, []string) error { return usage(*options, since, asJSON) },
	}
	command.Flags().StringVar(&since, "since", "30d", "how far to look back: a `time` such as 1h or 30d")
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return command
}

// usage runs the command.
func usage(options options, since string, asJSON bool) error {
	span, err := report.ParseSpan(since)
	if err != nil {
		return &exitError{Code: exitUsage, Err: err}
	}
	var toolboxes []domain.Toolbox
	var lock *domain.Lock
	options = options.inForce()
	configuration, err := options.load(checkingTransports())
	if err == nil {
		options.announce(configuration)
		toolboxes = configuration.Catalog.Toolboxes()
		lock, err = newLocks(configuration).Lock()
	}
	if err != nil { // the tools that were used are known without the configuration
		console.Err.Printf("mcp-workbench: some unused tools may be missing: %v\n", err)
	}
	found, err := report.NewUsage(activity.NewReader(recordedIn()), span, toolboxes, lock)
	if err != nil {
		return fmt.Errorf("compute the usage: %w", err)
	}
	return found.Show(console.Out, asJSON, terminal.NewPaint(console.Out, options.colour))
}
