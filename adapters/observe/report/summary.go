package report

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
)

// maxTools is the number of tools that are listed. Calls of further tools are counted only in the sums.
const maxTools = 10_000

// Tool says how one tool was used.
type Tool struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
	Calls   int    `json:"calls"`
	// Failed is the number of failed calls (activity.Entry.Failed).
	Failed int `json:"failed"`
	// P50 and P95 are the milliseconds within which 50 and 95 percent of the calls ended. Refused and cancelled
	// calls do not count. Both are 0 if there are no other calls.
	P50 float64 `json:"p50Ms"`
	P95 float64 `json:"p95Ms"`
	// BytesIn and BytesOut are the sizes of all arguments and answers. Tokens is the approximate number of
	// tokens in the answers that hosts were shown.
	BytesIn  int64     `json:"bytesIn"`
	BytesOut int64     `json:"bytesOut"`
	Tokens   int64     `json:"tokens"`
	LastUsed time.Time `json:"lastUsed"`

	durations []duration
}

// duration is the average time of a number of calls.
type duration struct {
	milliseconds float32
	calls        int32
}

// ID returns the identifier of the tool.
func (t Tool) ID() domain.ToolIdentifier {
	return domain.ToolIdentifier{Toolbox: domain.ToolboxName(t.Toolbox), Server: domain.ServerName(t.Server), Tool: t.Tool}
}

// Summary says how tools were used.
type Summary struct {
	// Since is the time of the oldest entry, or the zero time if there are no entries.
	Since  time.Time `json:"since,omitzero"`
	Calls  int       `json:"calls"`
	Failed int       `json:"failed"`
	// Unknown is the number of calls of tools that do not exist or were not open. Calls does not include them.
	Unknown int `json:"unknown"`
	// Tools are the tools that were called, the most often called first.
	Tools []Tool `json:"tools"`

	started map[domain.ServerID]bool
}

// Summarize computes how tools were used. It needs eight bytes of memory for each entry.
//
// Failures: those of the entries.
func Summarize(entries iter.Seq2[activity.Entry, error]) (Summary, error) {
	var sum Summary
	byTool := map[domain.ToolIdentifier]*Tool{}
	for entry, err := range entries {
		if err != nil {
			return Summary{}, err
		}
		if sum.Since.IsZero() || entry.Time.Before(sum.Since) {
			sum.Since = entry.Time
		}
		if entry.Kind == domain.ActivityStart && entry.Server != "" {
			if sum.started == nil {
				sum.started = map[domain.ServerID]bool{}
			}
			sum.started[domain.ServerID{Toolbox: domain.ToolboxName(entry.Toolbox), Server: domain.ServerName(entry.Server)}] = true
		}
		if entry.Kind != domain.ActivityCall {
			continue
		}
		if entry.Unknown {
			sum.Unknown += entry.Count()
			continue
		}
		sum.Calls += entry.Count()
		if entry.Failed() {
			sum.Failed += entry.Count()
		}
		called := Tool{Toolbox: entry.Toolbox, Server: entry.Server, Tool: entry.Tool}
		tool := byTool[called.ID()]
		if tool == nil && len(byTool) < maxTools {
			tool = &called
			byTool[called.ID()] = tool
		}
		if tool != nil {
			tool.add(entry)
		}
	}
	for _, tool := range byTool {
		tool.conclude()
		sum.Tools = append(sum.Tools, *tool)
	}
	slices.SortFunc(sum.Tools, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), a.ID().Compare(b.ID()))
	})
	return sum, nil
}

// place returns the name of the tool with those of its server and toolbox, for one line of a terminal.
func (t Tool) place() string {
	return domain.LineText(activity.Entry{Toolbox: t.Toolbox, Server: t.Server, Tool: t.Tool}.Place())
}

func (t *Tool) add(entry activity.Entry) {
	t.Calls += entry.Count()
	if entry.Failed() {
		t.Failed += entry.Count()
	}
	if entry.Outcome.IsTimed() {
		t.durations = append(t.durations, duration{float32(entry.Milliseconds), int32(entry.Count())}) // #nosec G115 -- it is bounded
	}
	t.BytesIn += entry.BytesIn
	t.BytesOut += entry.BytesOut
	t.Tokens += entry.Tokens
	if entry.Time.After(t.LastUsed) {
		t.LastUsed = entry.Time
	}
}

// conclude computes the percentiles, which need all calls, with one decimal as in the record.
func (t *Tool) conclude() {
	var times figures.Percentiles
	for _, d := range t.durations {
		times.Calls += int(d.calls)
	}
	slices.SortFunc(t.durations, func(a, b duration) int { return cmp.Compare(a.milliseconds, b.milliseconds) })
	for _, d := range t.durations {
		times.Add(time.Duration(float64(d.milliseconds)*float64(time.Millisecond)), int(d.calls))
	}
	t.P50, t.P95 = tenths(times.P50), tenths(times.P95)
	t.durations = nil
}

func tenths(duration time.Duration) float64 { return math.Round(duration.Seconds()*10_000) / 10 }
