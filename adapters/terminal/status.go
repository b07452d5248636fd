package terminal

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Show replaces the status lines. It does nothing if the output is not a terminal.
func (o *Output) Show(lines ...string) {
	if o.Columns() == 0 {
		return
	}
	o.console.mu.Lock()
	defer o.console.mu.Unlock()
	o.status = lines
	o.repaintLocked()
}

func (o *Output) repaintLocked() {
	var out strings.Builder
	o.eraseLocked(&out)
	o.paintLocked(&out)
	_ = o.rawLocked(out.String()) // the status is not essential
}

const eraseLine, lineUp = "\r\x1b[2K", "\x1b[1A"

func (o *Output) eraseLocked(out *strings.Builder) {
	for i := range o.painted {
		if i > 0 {
			out.WriteString(lineUp)
		}
		out.WriteString(eraseLine)
	}
	o.painted = 0
}

// paintLocked writes the status lines, unless a question is open, and leaves the cursor at the end of the
// last one, since a line end could scroll the first one away.
func (o *Output) paintLocked(out *strings.Builder) {
	if len(o.status) == 0 || o.console.held != nil {
		return
	}
	const maxLines = 10 // on a terminal with fewer rows they could not be erased
	lines := o.status
	if more := len(lines) - maxLines; more > 0 {
		lines = append(slices.Clone(lines[:maxLines]), fmt.Sprintf("… and %d more", more))
	}
	width := o.columns() - 1 // a full line would wrap on some terminals
	for i, line := range lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(Fit(OneLine(line), width))
	}
	o.painted = len(lines)
}

// OneLine returns text as one line, with the escapes for a terminal.
func OneLine(text string) string {
	return domain.TerminalText(domain.OneLine(text))
}
