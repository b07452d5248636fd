package main

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/adapters/ui/local"
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
			page.Sources = ui.AllSources(recordedIn(), statusFolders(), options.toolboxes())
			showing, _, stop := untilSignal(command.Context())
			defer stop()
			return page.Run(showing)
		},
	}
	command.Flags().BoolVar(&page.NoBrowser, "no-browser", false, "only print the address")
	command.Flags().Uint16Var(&page.Port, "port", 0, "listen at this `port`; 0 is any free one")
	return command
}

// pages returns the pages for callers over HTTP, each of whom sees its own toolboxes, hosts and calls. It returns nil if
// they are off. The caller closes them.
func (p *process) pages() *ui.Pages {
	if p.configuration.HTTP.WithoutPage {
		return nil
	}
	var record ui.Record
	if p.record != nil {
		record = ui.NewRecord(recordedIn(), p.record.Workbench())
	}
	return ui.New(ui.OwnSources(p.board, record, p.current.Toolboxes), ui.Settings{
		Version: version,
		Viewer: func(r *http.Request) ui.Viewer {
			access := callers.AccessOf(r.Context())
			return ui.Viewer{Toolboxes: access.Toolboxes, Identity: access.Identity}
		},
		Access: func(r *http.Request) (<-chan struct{}, time.Time) {
			access := callers.AccessOf(r.Context())
			return access.Revoked, access.Until
		},
	}, p.log)
}

// toolboxes returns the configured toolboxes, none without a usable configuration.
func (o options) toolboxes() []domain.Toolbox {
	configuration, err := o.inForce().load(checkingTransports())
	if err != nil {
		return nil
	}
	return configuration.Catalog.Toolboxes()
}
