package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/adapters/ui/local"
	"mcp-workbench/adapters/ui/reading"
	"mcp-workbench/adapters/ui/served"
	"mcp-workbench/domain"
)

func newUICommand(options *options) *cobra.Command {
	page := local.Command{Version: version, Console: console}
	command := &cobra.Command{
		Use:   "ui",
		Short: "Open a page in the browser that shows what happens",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			page.Log = slog.New(slog.NewTextHandler(console.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
			page.Sources = reading.Sources(recordedIn(), statusFolders(), options.toolboxes())
			showing, _, stop := untilSignal(command.Context())
			defer stop()
			return page.Run(showing)
		},
	}
	command.Flags().BoolVar(&page.NoBrowser, "no-browser", false, "only print the address")
	command.Flags().Uint16Var(&page.Port, "port", 0, "listen at this `port`; 0 is any free one")
	return command
}

// pages returns the pages for callers over HTTP, nil if they are off. The caller closes them.
func (p *process) pages() *ui.Pages {
	if p.configuration.HTTP.WithoutPage {
		return nil
	}
	return served.New(reading.Own(p.board, reading.OwnRecord(p.record, recordedIn()), p.current.Toolboxes), version, p.log)
}

// toolboxes returns the configured toolboxes, none without a usable configuration.
func (o options) toolboxes() []domain.Toolbox {
	configuration, err := o.inForce().load(checkingTransports())
	if err != nil {
		return nil
	}
	return configuration.Catalog.Toolboxes()
}
