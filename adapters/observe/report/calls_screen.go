package report

import (
	"fmt"
	"strings"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// The widths of columns on a terminal.
const (
	timeWidth, tookWidth, outcomeWidth, tokensWidth, hostWidth = 8, 6, 13, 6, 20
	// columnsWithHost is the width from which a terminal also shows the host.
	columnsWithHost = 100
)

// onScreen shows entries as lines of a terminal.
type onScreen struct {
	columns int
	paint   terminal.Paint
	day     string // of the last entry, "" before the first one
}

// heading returns the heading above an entry that is the first one or the first of its day, "" for others.
func (s *onScreen) heading(entry activity.Entry) string {
	day := entry.Time.Local().Format("Monday, 2 January 2006")
	if day == s.day {
		return ""
	}
	first := s.day == ""
	s.day = day
	if !first {
		return s.paint(terminal.Bold, terminal.Fit(day, s.columns))
	}
	return s.paint(terminal.Bold, terminal.Fit(day, s.columns)) + "\n" +
		s.paint(terminal.Bold, s.line("TIME", "TOOK", cell("OUTCOME", outcomeWidth), "TOKENS", "TOOL", "HOST"))
}

func (s *onScreen) row(entry activity.Entry) string {
	outcome := cell(describe(entry), outcomeWidth)
	if entry.Failed() {
		outcome = s.paint(terminal.Red, outcome)
	}
	tokens := ""
	if entry.Kind == domain.ActivityCall {
		tokens = count(entry.Tokens)
	}
	place := domain.LineText(entry.Place())
	if entry.Unknown { // a model made it up, with any length
		place = terminal.Fit(place, s.columns-2-s.hostColumns())
	}
	return s.line(entry.Time.Local().Format("15:04:05"), durationText(entry.Milliseconds), outcome, tokens, place, host(entry))
}

// hostColumns returns how many columns the host takes.
func (s *onScreen) hostColumns() int {
	if s.columns < columnsWithHost {
		return 0
	}
	return 2 + hostWidth
}

// line joins the columns of a line. The outcome is already padded, since it may be painted. A place that does not fit
// is whole on a line of its own, since places may differ only at their ends.
func (s *onScreen) line(when, duration, outcome, tokens, place, host string) string {
	text := cell(when, timeWidth) + "  " + strings.Repeat(" ", max(tookWidth-len(duration), 0)) + duration + "  " +
		outcome + "  " + strings.Repeat(" ", max(tokensWidth-len(tokens), 0)) + tokens
	room, end := s.columns-terminal.Cells(text)-2-s.hostColumns(), ""
	if s.hostColumns() > 0 {
		end = "  " + terminal.Fit(domain.LineText(host), hostWidth)
	}
	if terminal.Cells(place) > room {
		return text + "\n  " + place + end
	}
	return strings.TrimRight(text+"  "+cell(place, room)+end, " ")
}

// describe returns the kind of an entry or its outcome, in a few words.
func describe(entry activity.Entry) string {
	switch {
	case entry.Calls > 1:
		return count(entry.Calls) + " × " + outcome(entry)
	case entry.Kind == domain.ActivityCall:
		return outcome(entry)
	case entry.Outcome == domain.OutcomeOK:
		return string(entry.Kind)
	case entry.Kind == domain.ActivityEnd:
		return "lost"
	}
	return string(entry.Kind) + " " + string(entry.Outcome)
}

// host returns the identity of the caller, and the name and version of the host.
func host(entry activity.Entry) string {
	return strings.Join(strings.Fields(entry.Identity+" "+entry.Host+" "+entry.HostVersion), " ")
}

// cell returns a text that takes this number of columns.
func cell(text string, columns int) string {
	text = terminal.Fit(domain.LineText(text), columns)
	return text + strings.Repeat(" ", max(columns-terminal.Cells(text), 0))
}

// durationText returns a duration in at most six characters.
func durationText(milliseconds float64) string {
	switch span := time.Duration(milliseconds * float64(time.Millisecond)); {
	case span < 10*time.Millisecond:
		return fmt.Sprintf("%.1fms", milliseconds)
	case span < time.Second:
		return fmt.Sprintf("%.0fms", milliseconds)
	case span < time.Minute:
		return fmt.Sprintf("%.1fs", span.Seconds())
	case span < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(span.Minutes()), int(span.Seconds())%60)
	case span < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(span.Hours()), int(span.Minutes())%60)
	default:
		return fmt.Sprintf("%dd", int(span.Hours())/24)
	}
}

// count returns a number in at most five characters, as in "1.2K".
func count(number int64) string {
	value, unit := float64(number), 0
	for value >= 1000 && unit < len(units)-1 {
		value, unit = value/1000, unit+1
	}
	if unit == 0 || value >= 99.95 {
		return fmt.Sprintf("%.0f%s", value, strings.TrimSpace(units[unit:unit+1]))
	}
	return fmt.Sprintf("%.1f%s", value, strings.TrimSpace(units[unit:unit+1]))
}

// units are the letters for thousands, each one thousand times the one before.
const units = " KMGTP"
