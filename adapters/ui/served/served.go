// Package served serves the pages of package ui to the callers of a workbench over HTTP. Each caller sees its own
// toolboxes, hosts and calls.
package served

import (
	"log/slog"
	"net/http"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/ui"
)

// New returns pages for callers, whose access is in the contexts of their requests. The pages must be closed.
func New(sources ui.Sources, version string, log *slog.Logger) *ui.Pages {
	return ui.New(sources, ui.Settings{
		Version: version,
		Viewer: func(r *http.Request) ui.Viewer {
			granted := callers.AccessOf(r.Context())
			return ui.Viewer{Toolboxes: granted.Toolboxes, Identity: granted.Identity}
		},
		Ended: func(r *http.Request) <-chan struct{} { return callers.AccessOf(r.Context()).Revoked },
	}, log)
}
