package ui

import (
	"cmp"
	"maps"
	"strconv"
	"time"

	"mcp-workbench/domain"
)

// outcomes are the shown names of outcomes.
var outcomes = map[domain.Outcome]string{
	domain.OutcomeOK: "ok", domain.OutcomeToolError: "tool error", domain.OutcomeError: "error", domain.OutcomeRefused: "refused",
	domain.OutcomeDeclined: "declined", domain.OutcomeCancelled: "cancelled", domain.OutcomeTimeout: "timeout",
}

// kinds are the shown names of the kinds of activity.
var kinds = map[domain.ActivityKind]string{
	domain.ActivityCall: "call", domain.ActivityOpen: "opening", domain.ActivityStart: "start", domain.ActivityRestart: "restart", domain.ActivityEnd: "end",
}

// list is a list of entries, the newest first.
type list struct {
	*request
	Entries []entry
	// Brief says that a list of calls has fewer columns.
	Brief bool
	// HasMore says that there are older entries.
	HasMore bool
}

// subject names the tool or server of an entry, and has a link to its page if there is one.
type subject struct{ Name, Path, Link, Problem string }

// Subject returns the subject of an entry.
func (q *request) Subject(e entry) subject {
	tool := e.Tool()
	name, path := cmp.Or(tool.Tool, string(tool.Server)), tool.ServerID().Path()
	switch {
	case e.Unknown && e.Kind == domain.ActivityOpen:
		return subject{Name: string(tool.Toolbox), Problem: "no toolbox has this name"}
	case e.Unknown: // the toolbox of a tool that exists may have been closed
		return subject{Name: path + "/" + name, Problem: "no open tool has this name"}
	case tool.Tool != "":
		return subject{Name: name, Path: path, Link: q.ToolLink(tool)}
	case tool.Server != "":
		return subject{Name: name, Path: path, Link: q.ServerLink(tool.ServerID())}
	}
	return subject{Name: string(tool.Toolbox)}
}

func outcomeText(e entry) string {
	text := outcomes[e.Outcome]
	if text == "" {
		text = domain.CutCharacters(string(e.Outcome), 40)
	}
	if e.Code != 0 {
		text += " " + strconv.Itoa(e.Code)
	}
	if e.Calls > 1 {
		text = count(e.Calls) + " × " + text
	}
	return text
}

func outcomeClass(e entry) string {
	switch {
	case e.Outcome.HasFailed():
		return "bad"
	case e.Outcome == domain.OutcomeOK:
		return "good"
	}
	return "calm"
}

// Clock returns a time as text.
func (q *request) Clock(t time.Time) string { return clock(t, q.now) }

// Age returns how long ago a time was, without seconds.
func (q *request) Age(t time.Time) string { return coarse(q.now.Sub(t)) }

// pageNumber returns the number of the page in a query, limited to the existing pages of a list.
func pageNumber(text string, total, perPage int) int {
	number, _ := strconv.Atoi(text)
	return min(max(number, 1), max((total+perPage-1)/perPage, 1))
}

// pageLinks are the links to the pages of a list.
type pageLinks struct {
	Label, Previous, Next string
	Page, Last            int
}

func (q *request) pageLinks(page, total, perPage int, label string) pageLinks {
	links := pageLinks{Label: label, Page: page, Last: pageNumber(strconv.Itoa(total), total, perPage)}
	address := func(number int) string {
		values := maps.Clone(q.query)
		values.Set("page", strconv.Itoa(number))
		return relative(q.path) + "?" + values.Encode()
	}
	if page > 1 {
		links.Previous = address(page - 1)
	}
	if page < links.Last {
		links.Next = address(page + 1)
	}
	return links
}
