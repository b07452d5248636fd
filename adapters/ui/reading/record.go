package reading

import (
	"context"
	"time"

	"mcp-workbench/adapters/activity"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

const (
	// batch is how many entries are read at once, lookEvery how often new ones are looked for.
	batch     = 5000
	lookEvery = 300 * time.Millisecond
)

// Record reads the record of activity. It implements ui.Record. Safe for concurrent use.
type Record struct {
	Reader *activity.Reader
	// Workbench is the one whose activity is read, "" for all.
	Workbench string
}

var _ ui.Record = Record{}

// Follow implements ui.Record.
func (r Record) Follow(ctx context.Context, since time.Time, add func([]ui.Entry), read func()) error {
	ticker := time.NewTicker(lookEvery)
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
			Unknown: e.Unknown, Code: e.Code, Sent: int(e.BytesIn), Received: int(e.BytesOut), Tokens: int(e.Tokens),
			Workbench: e.Workbench, Host: e.Host, Version: e.HostVersion, Identity: e.Identity,
		})
	}
	return entries
}
