package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
)

// readFlags are the flags of read.
type readFlags struct {
	fit     fit
	timeout time.Duration
	asJSON  bool
	servers sharedServers
}

func newReadCommand(options *options) *cobra.Command {
	var flags readFlags
	command := &cobra.Command{
		Use:               "read TOOLBOX/SERVER [URI]",
		Short:             "Print a resource of a server, or list its resources",
		Args:              commandline.WordsBetween(1, 2, "name a server; 'mcp-workbench list' shows them"),
		ValidArgsFunction: options.completing().Places(1),
		RunE: func(command *cobra.Command, words []string) error {
			if err := flags.fit.check(command); err != nil {
				return err
			}
			return read(command.Context(), *options, flags, words[0], strings.Join(words[1:], ""))
		},
	}
	flags.fit.addFlags(command)
	command.Flags().DurationVar(&flags.timeout, "timeout", 0, "how long the server may take (30s, 5m); limits.call applies as well")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print what the server answers in its own bytes")
	flags.servers.addFlags(command)
	return command
}

// read runs the command. Without a URI it lists resources.
func read(ctx context.Context, options options, flags readFlags, name, uri string) error {
	visit, err := newVisit(options.visiting())
	if err != nil {
		return err
	}
	defer visit.Close()
	visit.share(flags.servers)
	place, err := visit.find(name)
	switch {
	case err != nil:
		return err
	case place.Server == "" || place.Tool != "":
		return &exitError{Code: exitUsage, Err: fmt.Errorf("%q does not name a server; 'mcp-workbench list' shows them", name)}
	}
	var printed error // which no signal explains
	err = visit.withServers(ctx, func(ctx context.Context) error {
		tools := visit.commandTools()
		if uri == "" {
			listing, err := tools.ListResources(ctx, place)
			if err == nil {
				printed = listing.Show(console.Out, flags.asJSON, terminal.NewPaint(console.Out, options.colour))
			}
			return err
		}
		raw, err := tools.ReadResource(ctx, place, uri, flags.timeout)
		if err != nil {
			return err
		}
		printer := visit.printer(flags.fit, cmp.Or(path.Base(uri), string(place.Server)))
		printer.Max = visit.maxText(place, flags.fit)
		printed = printer.ShowContents(raw, flags.asJSON)
		return nil
	})
	return cmp.Or(err, printed)
}
