package report

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// shownCalls is the number of entries that are shown if no span of time is given, shownBefore the number of entries that
// are shown before new ones.
const shownCalls, shownBefore = 50, 10

// Calls says which entries to show, and how.
type Calls struct {
	// Place is their subject, in the form of activity.Entry.IsAbout.
	Place string
	// Since is the time span to show, or 0 for the last few entries.
	Since  time.Duration
	Failed bool // only those that failed
	Follow bool // also new ones, until the context ends
	AsJSON bool
	// Toolboxes are those of the configuration, none if they are not known. On a terminal, entries of other servers are
	// left out unless a place is given.
	Toolboxes []domain.Toolbox

	left *int // the number of entries that were left out
}

// Print shows entries of the record. On a terminal they are aligned to its width; elsewhere the columns
// are separated by tabs. If there are none, it prints a line to notes. It keeps only a few entries in memory.
//
// Failures: those of the reader and of writing.
func (c Calls) Print(ctx context.Context, reader *activity.Reader, out, notes *terminal.Output, paint terminal.Paint) error {
	printer := c.printer(out, paint)
	c.left = new(int)
	if c.Place != "" || c.AsJSON || out.Columns() == 0 {
		c.Toolboxes = nil
	}
	var since time.Time
	var position activity.Position
	var err error
	if c.Since > 0 {
		since = time.Now().Add(-c.Since)
		position, err = reader.Since(since)
	} else {
		position, err = c.printRecent(reader, printer)
	}
	if err == nil && (c.Since > 0 || c.Follow) {
		err = c.printAfter(ctx, reader, position, since, printer)
	}
	if err != nil {
		return fmt.Errorf("show the record of calls: %w", err)
	}
	if !printer.begun && !c.Follow {
		notes.Print("mcp-workbench: " + c.nothing())
	}
	if *c.left > 0 {
		notes.Print("mcp-workbench: entries of servers that are not configured now are left out; 'mcp-workbench calls TOOLBOX' shows those of one")
	}
	return nil
}

// printRecent prints the last entries, and returns the position behind the record's last entry.
func (c Calls) printRecent(reader *activity.Reader, printer *printer) (activity.Position, error) {
	count := shownCalls
	if c.Follow {
		count = shownBefore
	}
	last, position, err := reader.Recent(count, c.wants)
	if err != nil {
		return position, err
	}
	for _, entry := range last {
		if err := printer.print(entry); err != nil {
			return position, err
		}
	}
	return position, nil
}

// nothing returns the line that replaces an empty list.
func (c Calls) nothing() string {
	text := "no calls"
	if c.Failed {
		text = "no failed calls"
	}
	if c.Place != "" {
		text += " of " + domain.LineText(c.Place)
	}
	if c.Since > 0 {
		return text + " in that time are recorded"
	}
	return text + " are recorded yet"
}

func (c Calls) wants(entry activity.Entry) bool {
	if !entry.IsAbout(c.Place) || c.Failed && !entry.Failed() {
		return false
	}
	if len(c.Toolboxes) == 0 || entry.Unknown || isConfigured(c.Toolboxes, entry.Toolbox, entry.Server) {
		return true
	}
	*c.left++
	return false
}

// isConfigured reports whether a toolbox, or a server of it if that is not "", is among the toolboxes.
func isConfigured(toolboxes []domain.Toolbox, toolbox, server string) bool {
	return slices.ContainsFunc(toolboxes, func(t domain.Toolbox) bool {
		if string(t.Name) != toolbox {
			return false
		}
		_, found := t.Server(domain.ServerName(server))
		return server == "" || found
	})
}

// printAfter prints the entries behind a position, at first only those since a time, and as they are written if new ones
// are wanted.
func (c Calls) printAfter(ctx context.Context, reader *activity.Reader, position activity.Position, since time.Time, printer *printer) error {
	return reader.Follow(ctx, position, func(entries []activity.Entry) error {
		for _, entry := range entries {
			if !c.wants(entry) || entry.Time.Before(since) {
				continue
			}
			if err := printer.print(entry); err != nil {
				return err
			}
		}
		return nil
	}, func() bool {
		since = time.Time{} // a clock that was set back must not hide new entries
		return c.Follow
	})
}

// printer prints entries in one form.
type printer struct {
	print func(activity.Entry) error
	begun bool
}

func (c Calls) printer(out *terminal.Output, paint terminal.Paint) *printer {
	p := &printer{}
	line := func(text string) error {
		p.begun = true
		_, err := io.WriteString(out, text+"\n")
		return err
	}
	columns := out.Columns()
	switch {
	case c.AsJSON:
		encoder := json.NewEncoder(out.Data())
		encoder.SetEscapeHTML(false)
		p.print = func(entry activity.Entry) error {
			p.begun = true
			return encoder.Encode(entry)
		}
	case columns == 0:
		p.print = func(entry activity.Entry) error { return line(strings.Join(cells(entry), "\t")) }
	default:
		shown := onScreen{columns: columns, paint: paint}
		p.print = func(entry activity.Entry) error {
			if heading := shown.heading(entry); heading != "" {
				if err := line(heading); err != nil {
					return err
				}
			}
			return line(shown.row(entry))
		}
	}
	return p
}

// cells returns the columns of an entry in the output for programs.
func cells(entry activity.Entry) []string {
	columns := []string{
		entry.Time.Format(time.RFC3339Nano), string(entry.Kind), outcome(entry), entry.Place(),
		strconv.FormatFloat(entry.Milliseconds, 'f', -1, 64), strconv.FormatInt(entry.BytesIn, 10), strconv.FormatInt(entry.BytesOut, 10),
		strconv.FormatInt(entry.Tokens, 10), entry.Host, entry.HostVersion, entry.Identity, entry.Workbench, strconv.Itoa(entry.Count()),
	}
	for i, cell := range columns {
		columns[i] = domain.LineText(cell)
	}
	return columns
}

// outcome returns the outcome of an entry, with the code of an error.
func outcome(entry activity.Entry) string {
	text := string(entry.Outcome)
	if entry.Code != 0 {
		text += " " + strconv.Itoa(entry.Code)
	}
	return text
}
