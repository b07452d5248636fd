package ui_test

import (
	"fmt"
	"net/url"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// query returns the query of a server or of a tool.
func query(name, tool string) string {
	values := url.Values{"toolbox": {name}, "server": {name}}
	if tool != "" {
		values.Set("tool", tool)
	}
	return values.Encode()
}

func queryText(text string) string { return url.QueryEscape(text) }

var _ = Describe("The numbers of a page", func() {
	const nbsp = "\u00a0"

	It("are those of the calls within the span, in whatever order they were recorded", func() {
		var entries []activity.Entry
		for i := range 100 {
			entries = append(entries, call("dev", "git", "log", time.Duration((i*37)%100+1)*time.Millisecond, domain.OutcomeOK))
		}
		old, future := call("dev", "git", "log", time.Hour, domain.OutcomeOK), call("dev", "git", "log", time.Hour, domain.OutcomeOK)
		old.Time, future.Time = time.Now().Add(-25*time.Hour), time.Now().Add(40*24*time.Hour)
		refused, cancelled := call("dev", "git", "log", 0, domain.OutcomeRefused), call("dev", "git", "log", time.Hour, domain.OutcomeCancelled)
		s := serve(ui.Sources{Record: record{stored: append(entries, future, old, refused, cancelled)}}, everything)

		Expect(s.page("/ui/tool?toolbox=dev&server=git&tool=log")).To(And(
			ContainSubstring("<dt>Calls</dt><dd><strong>102</strong>"), ContainSubstring("<dt>Failed</dt><dd><strong>0</strong>"),
			ContainSubstring("<dt>p50</dt><dd><strong>50"+nbsp+"ms</strong>"), ContainSubstring("<dt>p95</dt><dd><strong>95"+nbsp+"ms</strong>"),
		))
		Expect(s.page("/ui/tool?toolbox=dev&server=git&tool=log&since=7d")).To(ContainSubstring("<dt>Calls</dt><dd><strong>103</strong>"))
	})

	It("leave out servers that are not configured now, which are folded away", func() {
		s := serve(ui.Sources{Record: record{stored: []activity.Entry{
			call("dev", "git", "log", time.Second, domain.OutcomeOK), call("dev", "old", "cut", time.Second, domain.OutcomeDeclined),
		}}, Toolboxes: func() []domain.Toolbox {
			return []domain.Toolbox{{Name: "dev", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "dev", Server: "git"}}}}}
		}}, everything)

		Expect(s.page("/ui/")).To(And(ContainSubstring("<summary>1 server that was used is not configured now</summary>"), ContainSubstring(">of 1, 0 idle<"),
			ContainSubstring("<dt>Failed</dt><dd><strong>0</strong>")))
		Expect(s.page("/ui/tools")).To(And(ContainSubstring("<p>1 tool, whose"), ContainSubstring("1 tool of servers that are not configured now is left out.")))
		Expect(s.page("/ui/failures")).To(ContainSubstring("Messages of errors are not recorded"))
	})

	It("list names that callers made up only as calls", func() {
		unknown := call("dev", "git", "made-up", time.Second, domain.OutcomeRefused)
		unknown.Unknown = true
		s := serve(ui.Sources{Record: record{stored: []activity.Entry{unknown}}}, everything)

		Expect(s.page("/ui/tools")).NotTo(ContainSubstring("made-up"))
		Expect(s.page("/ui/")).To(ContainSubstring("<dt>Calls</dt><dd><strong>0</strong>"))
		Expect(s.page("/ui/calls")).To(And(ContainSubstring("made-up"), ContainSubstring("<bdi>dev/git/made-up</bdi> <small>no open tool has this name")))
	})

	It("are bounded: the oldest calls are dropped first", Label("large"), func() {
		var entries []activity.Entry
		for i := range 200_001 {
			entries = append(entries, call("dev", "git", fmt.Sprint("tool", i%3), time.Millisecond, domain.OutcomeOK))
		}
		entries[0].Tool = "first"
		git := domain.Toolbox{Name: "dev", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "dev", Server: "git"}}}}
		s := serve(ui.Sources{Record: record{stored: entries}, Toolboxes: func() []domain.Toolbox { return []domain.Toolbox{git} }}, everything)

		Expect(s.page("/ui/tools")).To(And(ContainSubstring("<bdi>tool2</bdi>"), Not(ContainSubstring("<bdi>first</bdi>"))))
	})

	It("take no more than their bound, whatever the names of 200,000 calls", Label("large"), func() {
		var entries []activity.Entry
		for i := range 200_000 {
			entries = append(entries, call("dev", "git", fmt.Sprintf("%0256d", i), time.Millisecond, domain.OutcomeOK))
		}

		_, kept := spec.Cost(func() *site {
			s := serve(ui.Sources{Record: record{stored: entries}}, everything)
			Expect(s.page("/ui/calls")).To(ContainSubstring("0199999"))
			return s
		})

		runtime.KeepAlive(entries)
		Expect(kept).To(BeNumerically("<", 200<<20))
	})
})
