package reading

import (
	"context"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

// Sources returns the sources of pages that show all activity of the user: the record in a folder, and the
// workbenches with sockets in folders.
func Sources(record func() (string, error), sockets []string, toolboxes []domain.Toolbox) ui.Sources {
	workbenches, stored := Workbenches{status.NewWorkbenches(sockets)}, Record{Reader: activity.NewReader(record)}
	return ui.Sources{
		Record:    stored,
		Status:    workbenches.Status,
		Toolboxes: func() []domain.Toolbox { return toolboxes },
		Tools:     func(ctx context.Context) []ui.Tool { return workbenches.Tools(ctx, stored.Tools()) },
		Stderr: func(ctx context.Context, server domain.ServerID, _ ui.Viewer) []string {
			return workbenches.Stderr(ctx, server)
		},
	}
}
