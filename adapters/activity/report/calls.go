package report

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/activity"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

const (
	// shownCalls is the number of entries that are shown if no span of time is given, shownBefore the number of
	// entries that are shown before new ones.
	shownCalls, shownBefore = 50, 10
	// pause is the time between two reads of the record, batch the number of entries in a read.
	pause = 250 * time.Millisecond
	batch = 1000
)

// Calls says which entries to show, and how.
type Calls struct {
	// Place is their subject, in the form of activity.Entry.IsAbout.
	Place string
	// Since is how far to look back, 0 for the last few entries.
	Since  time.Duration
	Failed bool // only those that failed
	Follow bool // also new ones, until the context ends
	AsJSON bool
}

// Print shows entries of the record. On a terminal they are aligned and cut to its width; elsewhere the columns
// are separated by tabs. If there are none, it prints a line to notes. It keeps only a few entries in memory.
//
// Failures: those of the reader and of writing.
func (c Calls) Print(ctx context.Context, reader *activity.Reader, out, notes *terminal.Output, paint terminal.Paint) error {
	printer := c.printer(out, paint)
	count := shownCalls
	if c.Follow {
		count = shownBefore
	}
	if c.Since > 0 {
		count = 0
	}
	last, position, err := reader.Recent(count, c.wants)
	if err != nil {
		return fmt.Errorf("read the record of calls: %w", err)
	}
	if err := printer.printAll(last); err != nil {
		return err
	}
	if c.Since > 0 {
		if position, err = c.printSince(reader, position, printer); err != nil {
			return err
		}
	}
	if c.Follow {
		return c.follow(ctx, reader, position, printer)
	}
	if !printer.begun {
		notes.Print("mcp-workbench: " + c.nothing())
	}
	return nil
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
	return entry.IsAbout(c.Place) && (!c.Failed || entry.Failed())
}

// printSince prints the entries since a time.
func (c Calls) printSince(reader *activity.Reader, end activity.Position, printer *printer) (activity.Position, error) {
	since := time.Now().Add(-c.Since)
	for entry, err := range reader.Entries(since) {
		if err != nil {
			return end, fmt.Errorf("read the record of calls: %w", err)
		}
		if !c.wants(entry) {
			continue
		}
		if err := printer.print(entry); err != nil {
			return end, err
		}
	}
	return end, nil
}

// follow prints entries behind a position as they are written.
func (c Calls) follow(ctx context.Context, reader *activity.Reader, position activity.Position, printer *printer) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		entries, next, err := reader.After(position, batch)
		if err != nil {
			return fmt.Errorf("read the record of calls: %w", err)
		}
		position = next
		for _, entry := range entries {
			if !c.wants(entry) {
				continue
			}
			if err := printer.print(entry); err != nil {
				return err
			}
		}
		if len(entries) == batch {
			continue
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// printer prints entries in one form.
type printer struct {
	print func(activity.Entry) error
	begun bool
}

func (p *printer) printAll(entries []activity.Entry) error {
	for _, entry := range entries {
		if err := p.print(entry); err != nil {
			return err
		}
	}
	return nil
}

func (c Calls) printer(out *terminal.Output, paint terminal.Paint) *printer {
	p := &printer{}
	line := func(text string) error {
		p.begun = true
		if _, err := io.WriteString(out, text+"\n"); err != nil {
			return fmt.Errorf("print a call: %w", err)
		}
		return nil
	}
	columns := out.Columns()
	switch {
	case c.AsJSON:
		encoder := json.NewEncoder(out.Data())
		encoder.SetEscapeHTML(false)
		p.print = func(entry activity.Entry) error {
			p.begun = true
			if err := encoder.Encode(entry); err != nil {
				return fmt.Errorf("print a call: %w", err)
			}
			return nil
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
