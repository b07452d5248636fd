package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

const (
	// shownTools and shownServers are the numbers of tools and servers that a terminal shows.
	shownTools, shownServers = 40, 20
	// A tool is shown as slow from so many milliseconds on, and as one that fails often from this share of failed
	// calls on, if it was called at least minCalls times.
	slow     = 5000
	often    = 0.1
	minCalls = 3
	// enoughCalls is the number of calls from which tools without calls are worth leaving out.
	enoughCalls = 100
)

// Usage says how tools were used, and which were not.
type Usage struct {
	Summary
	// Unused has the servers with tools that were not called.
	Unused []UnusedServer `json:"unused"`

	// toolboxes are those of the configuration, none if they are not known. A terminal shows their tools only.
	toolboxes []domain.Toolbox
}

// NewUsage reads how tools were used in a span of time up to now. The lock, which can be nil, supplies the tools
// of servers that were not opened.
//
// Failures: those of the reader.
func NewUsage(reader *activity.Reader, span time.Duration, toolboxes []domain.Toolbox, lock *domain.Lock) (Usage, error) {
	summary, err := Summarize(reader.Entries(time.Now().Add(-span)))
	if err != nil {
		return Usage{}, fmt.Errorf("read the record of calls: %w", err)
	}
	known, err := reader.Tools()
	if err != nil {
		return Usage{}, fmt.Errorf("read the tools of servers: %w", err)
	}
	return Usage{Summary: summary, Unused: summary.Unused(toolboxes, WithLocked(known, lock)), toolboxes: toolboxes}, nil
}

// Show prints the usage, as text or as one JSON object.
func (u Usage) Show(out *terminal.Output, asJSON bool, paint terminal.Paint) error {
	if asJSON {
		return u.PrintJSON(out.Data())
	}
	return u.Print(out, paint)
}

// PrintJSON prints one JSON object.
func (u Usage) PrintJSON(out io.Writer) error {
	if u.Tools == nil {
		u.Tools = []Tool{}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(u); err != nil {
		return fmt.Errorf("print the usage: %w", err)
	}
	return nil
}

// Print shows the usage on a terminal, or rows with columns separated by tabs.
func (u Usage) Print(out *terminal.Output, paint terminal.Paint) error {
	columns := out.Columns()
	if columns == 0 {
		return u.rows().Print(out, 0, nil)
	}
	var shown, gone []Tool
	for _, tool := range u.Tools {
		if len(u.toolboxes) > 0 && !isConfigured(u.toolboxes, tool.Toolbox, tool.Server) {
			gone = append(gone, tool)
		} else {
			shown = append(shown, tool)
		}
	}
	u.Tools = shown
	if len(u.Tools) > 0 {
		if err := u.table().Print(out, columns, paint); err != nil {
			return err
		}
	}
	screen := terminal.New(out, "never")
	for _, line := range u.notes(gone) {
		if err := screen.Print("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// table returns the tools that were called most, for a terminal.
func (u Usage) table() terminal.Table {
	table := terminal.Table{Headings: []string{"TOOL", "CALLS", "FAILED", "P50", "P95", "BYTES IN", "BYTES OUT", "TOKENS"}}
	for _, tool := range u.Tools[:min(len(u.Tools), shownTools)] {
		table.Rows = append(table.Rows, []string{
			tool.place(), count(int64(tool.Calls)), count(int64(tool.Failed)), durationText(tool.P50), durationText(tool.P95),
			count(tool.BytesIn), count(tool.BytesOut), count(tool.Tokens),
		})
	}
	return table
}

// rows returns all tools, including the unused ones, for programs.
func (u Usage) rows() terminal.Table {
	var table terminal.Table
	number := func(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
	for _, tool := range u.Tools {
		table.Rows = append(table.Rows, []string{
			tool.place(), strconv.Itoa(tool.Calls), strconv.Itoa(tool.Failed), number(tool.P50), number(tool.P95),
			strconv.FormatInt(tool.BytesIn, 10), strconv.FormatInt(tool.BytesOut, 10), strconv.FormatInt(tool.Tokens, 10), "",
		})
	}
	for _, server := range u.Unused {
		for _, tool := range server.Tools {
			name := domain.LineText(activity.Entry{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name}.Place())
			table.Rows = append(table.Rows, []string{name, "0", "0", "0", "0", "0", "0", "0", strconv.Itoa(tool.Tokens)})
		}
	}
	return table
}

// notes returns the lines below the table. The tools that are gone were left out of it.
func (u Usage) notes(gone []Tool) []string {
	var lines []string
	if hidden := len(u.Tools) - shownTools; hidden > 0 {
		lines = append(lines, fmt.Sprintf("and %d more tools; --json has all", hidden))
	}
	if len(u.Tools) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, u.sum(len(u.Tools)+len(gone)))
	if len(gone) > 0 {
		calls := 0
		for _, tool := range gone {
			calls += tool.Calls
		}
		lines = append(lines, fmt.Sprintf("not shown: %s of %s of servers that are not configured now; --json has them",
			domain.Counted(calls, "call"), domain.Counted(len(gone), "tool")))
	}
	for _, tool := range u.Tools {
		if tool.Calls >= minCalls && float64(tool.Failed) >= often*float64(tool.Calls) {
			lines = append(lines, fmt.Sprintf("fails often: %s, %d of %d calls", tool.place(), tool.Failed, tool.Calls))
		}
	}
	for _, tool := range u.Tools {
		if tool.Calls >= minCalls && tool.P95 >= slow {
			lines = append(lines, fmt.Sprintf("slow: %s, 1 of 20 calls takes %s or longer", tool.place(), durationText(tool.P95)))
		}
	}
	return append(lines, u.unusedLines()...)
}

// sum returns a line with the totals.
func (u Usage) sum(tools int) string {
	if u.Since.IsZero() {
		return "no calls are recorded in that time"
	}
	line := fmt.Sprintf("since %s: %s of %s, %d failed", u.Since.Local().Format("2 January 2006 15:04"), domain.Counted(u.Calls, "call"), domain.Counted(tools, "tool"), u.Failed)
	if u.Unknown > 0 {
		line += fmt.Sprintf("; and %s of tools that do not exist or were not open", domain.Counted(u.Unknown, "call"))
	}
	return line
}

// unusedLines says which tools were not used, what they cost, and how to leave them out.
func (u Usage) unusedLines() []string {
	if len(u.Unused) == 0 || u.Since.IsZero() {
		return nil
	}
	tools, tokens := 0, 0
	for _, server := range u.Unused {
		tools, tokens = tools+len(server.Tools), tokens+server.Tokens
	}
	lines := []string{"", fmt.Sprintf("never used: %s, whose full definitions take about %d tokens", domain.Counted(tools, "tool"), tokens)}
	if u.Calls < enoughCalls {
		return append(lines, fmt.Sprintf("after %d calls in that time, the settings that leave them out are shown here", enoughCalls))
	}
	for _, server := range u.Unused[:min(len(u.Unused), shownServers)] {
		name := domain.LineText(server.Toolbox + "/" + server.Server)
		if server.ToolFilters == nil {
			never := ""
			if server.NeverStarted {
				never = ", never started"
			}
			lines = append(
				lines, fmt.Sprintf("%s: all %s, about %d tokens%s", name, domain.Counted(len(server.Tools), "tool"), server.Tokens, never),
				"  mcp-workbench disable "+domain.ShellWord(server.Toolbox+"/"+server.Server),
			)
			continue
		}
		lines = append(
			lines, fmt.Sprintf("%s: %d of %s, about %d tokens", name, len(server.Tools), domain.Counted(len(server.Tools)+server.Called, "tool"), server.Tokens),
			"  "+domain.ToolFiltersMember(server.ToolFilters),
		)
	}
	if hidden := len(u.Unused) - shownServers; hidden > 0 {
		lines = append(lines, fmt.Sprintf("and %d more servers; --json has all", hidden))
	}
	return lines
}
