package ui

import (
	"context"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

// storedRecord reads the record of activity. It implements Record. Safe for concurrent use.
type storedRecord struct {
	*activity.Reader

	// workbench is the Entry.Workbench of the activity that is read, "" for all.
	workbench string
}

// NewRecord returns the record in a folder. The argument workbench is the Entry.Workbench of the activity that is read,
// "" for all.
func NewRecord(folder func() (string, error), workbench string) Record {
	return storedRecord{activity.NewReader(folder), workbench}
}

// tools returns the tools that servers had when their toolboxes were last opened.
func (r storedRecord) tools() []Tool {
	listed, _ := r.Tools() // tools that cannot be read are not known
	var tools []Tool
	for server, names := range listed {
		for _, tool := range names {
			id := domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name}
			tools = append(tools, Tool{ID: id, Tokens: tool.Tokens})
		}
	}
	return tools
}

// Follow implements Record.
func (r storedRecord) Follow(ctx context.Context, since time.Time, add func([]activity.Entry), read func()) error {
	return r.Reader.Follow(ctx, activity.Position{}, func(entries []activity.Entry) error {
		var wanted []activity.Entry
		for _, e := range entries {
			if !e.Time.Before(since) && (r.workbench == "" || e.Workbench == r.workbench) {
				wanted = append(wanted, e)
			}
		}
		if len(wanted) > 0 {
			add(wanted)
		}
		return nil
	}, func() bool {
		read()
		return true
	})
}
