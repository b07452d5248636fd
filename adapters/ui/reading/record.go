package reading

import (
	"context"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

const (
	// batch is the number of entries in a read, readInterval the time between two reads.
	batch        = 5000
	readInterval = 300 * time.Millisecond
)

// Record reads the record of activity. It implements ui.Record. Safe for concurrent use.
type Record struct {
	Reader *activity.Reader
	// Workbench is the Entry.Workbench of the activity that is read, "" for all.
	Workbench string
}

var _ ui.Record = Record{}

// OwnRecord returns the record of one workbench in a folder, nil if the workbench does not record activity.
func OwnRecord(written *activity.Record, folder func() (string, error)) ui.Record {
	if written == nil {
		return nil
	}
	return Record{Reader: activity.NewReader(folder), Workbench: written.Workbench()}
}

// Tools returns the tools that servers had when their toolboxes were last opened.
func (r Record) Tools() []ui.Tool {
	known, _ := r.Reader.Tools() // tools that cannot be read are not known
	var tools []ui.Tool
	for server, listed := range known {
		for _, tool := range listed {
			id := domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name}
			tools = append(tools, ui.Tool{ID: id, Tokens: tool.Tokens})
		}
	}
	return tools
}

// Follow implements ui.Record.
func (r Record) Follow(ctx context.Context, since time.Time, add func([]ui.Entry), read func()) error {
	ticker := time.NewTicker(readInterval)
	defer ticker.Stop()
	var position activity.Position
	for {
		found, next, err := r.Reader.After(position, batch)
		if err != nil {
			return err
		}
		position = next
		if entries := r.wanted(found, since); len(entries) > 0 {
			add(entries)
		}
		if len(found) == batch && ctx.Err() == nil {
			continue
		}
		read()
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (r Record) wanted(found []activity.Entry, since time.Time) []ui.Entry {
	entries := make([]ui.Entry, 0, len(found))
	for _, e := range found {
		if e.Time.Before(since) || r.Workbench != "" && e.Workbench != r.Workbench {
			continue
		}
		entries = append(entries, ui.Entry{
			Kind: e.Kind, Outcome: e.Outcome, Time: e.Time, Took: time.Duration(e.Milliseconds * float64(time.Millisecond)),
			Tool:    domain.ToolIdentifier{Toolbox: domain.ToolboxName(e.Toolbox), Server: domain.ServerName(e.Server), Tool: e.Tool},
			Unknown: e.Unknown, Code: e.Code, Sent: int(e.BytesIn), Received: int(e.BytesOut), Tokens: int(e.Tokens), Calls: e.Count(),
			Workbench: e.Workbench, Host: e.Host, Version: e.HostVersion, Identity: e.Identity,
		})
	}
	return entries
}
