package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
)

func newListCommand(options *options) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "list [TOOLBOX[/SERVER]]",
		Short: "Show toolboxes and servers, or the tools of one and their cost",
		Long: `Show toolboxes and servers, or the tools of one and their cost.

Without a name it shows what is configured and starts nothing. With a name it starts the
servers that it needs, and shows each tool with the approximate number of tokens of its
definition and the first sentence of its description. The exit code is 4 when a server cannot be
reached; the tools of the others are shown.

When the output is not a terminal, columns are separated by tabs.
'mcp-workbench help shell' describes --json.`,
		Args:              wordsBetween(0, 1),
		ValidArgsFunction: completePlaces(options, false),
		RunE: func(command *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return list(command.Context(), *options, name, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return command
}

// list runs the command.
func list(ctx context.Context, options options, name string, asJSON bool) error {
	if options = options.looking(); name != "" {
		options = options.starting()
	}
	visit, err := newVisit(options)
	if err != nil {
		return err
	}
	defer visit.Close()
	listing := shell.ListCatalog(visit.configuration.Catalog.Toolboxes())
	if name != "" {
		place, err := visit.find(name)
		switch {
		case err != nil:
			return err
		case place.Tool != "":
			return &exitError{code: exitUsage, err: fmt.Errorf("list shows the tools of a toolbox or a server, not %q; call uses it", place.Tool)}
		}
		err = visit.withServers(ctx, func(ctx context.Context) error {
			listed, err := visit.commandTools().List(ctx, place)
			listing = shell.ListTools(listed, wording.Warnings(listed))
			return err
		})
		if err != nil {
			return err
		}
	}
	return conclude(listing, visit.screen, asJSON, terminal.NewPaint(console.Out, options.colour))
}

// conclude prints a listing and returns the error with which the program exits.
func conclude(listing shell.Listing, screen *terminal.Output, asJSON bool, paint terminal.Paint) error {
	var err error
	if asJSON {
		err = listing.PrintJSON(console.Out.Data())
	} else {
		bold := func(text string) string { return paint(terminal.Bold, text) }
		err = listing.Print(console.Out, console.Out.Columns(), bold)
	}
	if err != nil {
		return err
	}
	problems, unreachable := listing.Problems()
	for _, problem := range problems {
		screen.Print("mcp-workbench: " + problem)
	}
	if unreachable {
		return &exitError{code: exitUnreachable}
	}
	return nil
}
