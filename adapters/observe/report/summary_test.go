package report_test

import (
	"errors"
	"fmt"
	"iter"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/report"
	"mcp-workbench/domain"
)

// each returns the entries one by one, and then a failure unless it is nil.
func each(failure error, entries ...activity.Entry) iter.Seq2[activity.Entry, error] {
	return func(yield func(activity.Entry, error) bool) {
		for _, entry := range entries {
			if !yield(entry, nil) {
				return
			}
		}
		if failure != nil {
			yield(activity.Entry{}, failure)
		}
	}
}

var _ = Describe("The usage of tools", func() {
	then := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	called := func(tool string, outcome domain.Outcome, milliseconds float64) activity.Entry {
		return activity.Entry{
			Time: then, Kind: domain.ActivityCall, Toolbox: "dev", Server: "git", Tool: tool, Outcome: outcome,
			Milliseconds: milliseconds, BytesIn: 1, BytesOut: 20, Tokens: 5,
		}
	}

	It("sums up the calls of each tool, the most used first", func() {
		late := called("log", domain.OutcomeToolError, 100)
		late.Time = then.Add(time.Hour)
		early := activity.Entry{Time: then.Add(-time.Hour), Kind: domain.ActivityStart, Outcome: domain.OutcomeError}
		unknown := called("made up", domain.OutcomeRefused, 0)
		unknown.Unknown = true

		sum, err := report.Summarize(each(nil, called("diff", domain.OutcomeOK, 7), called("log", domain.OutcomeOK, 12.3),
			late, early, unknown, called("log", domain.OutcomeCancelled, 5000), called("log", domain.OutcomeRefused, 0)))

		Expect(err).NotTo(HaveOccurred())
		Expect(sum).To(Equal(report.Summary{
			Since: then.Add(-time.Hour), Calls: 5, Failed: 1, Unknown: 1,
			Tools: []report.Tool{
				{
					Toolbox: "dev", Server: "git", Tool: "log", Calls: 4, Failed: 1, P50: 12.3, P95: 100, BytesIn: 4, BytesOut: 80, Tokens: 20,
					LastUsed: late.Time,
				},
				{
					Toolbox: "dev", Server: "git", Tool: "diff", Calls: 1, P50: 7, P95: 7, BytesIn: 1, BytesOut: 20, Tokens: 5, LastUsed: then,
				},
			},
		}))
	})

	It("is computed to a tenth of a millisecond, even for many calls", func() {
		var entries []activity.Entry
		for i := range 1000 {
			entries = append(entries, called("log", domain.OutcomeOK, float64(i+1)/10))
		}
		sum, err := report.Summarize(each(nil, entries...))
		Expect(err).NotTo(HaveOccurred())
		Expect([]float64{sum.Tools[0].P50, sum.Tools[0].P95}).To(Equal([]float64{50, 95}))
	})

	It("lists a bounded number of tools", func() {
		var entries []activity.Entry
		for i := range 10_500 {
			entries = append(entries, called(fmt.Sprint(i), domain.OutcomeOK, 1))
		}
		sum, err := report.Summarize(each(nil, entries...))
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Tools).To(HaveLen(10_000))
		Expect(sum.Calls).To(Equal(10_500))
	})

	It("fails if the record cannot be read", func() {
		_, err := report.Summarize(each(errors.New("odd"), called("log", domain.OutcomeOK, 1)))
		Expect(err).To(MatchError("odd"))
	})

	It("names the tools without calls, and the filters that leave them out", func() {
		server := func(name string, filter domain.ToolFilter) domain.Server {
			return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: domain.ServerName(name)}, Tools: filter}
		}
		toolboxes := []domain.Toolbox{{Name: "dev", Servers: []domain.Server{
			server("git", domain.OnlyTools([]string{"*", "!push"})), server("web", domain.ToolFilter{}), server("new", domain.ToolFilter{}),
			server("list", domain.OnlyTools([]string{"a", "b"})),
		}}}
		tools := func(names ...string) (known []activity.KnownTool) {
			for i, name := range names {
				known = append(known, activity.KnownTool{Name: name, Tokens: (i + 1) * 10})
			}
			return known
		}
		known := map[domain.ServerID][]activity.KnownTool{
			{Toolbox: "dev", Server: "git"}: tools("log", "diff", "push", "blame"), {Toolbox: "dev", Server: "web"}: tools("fetch", "find", "x"),
			{Toolbox: "gone", Server: "git"}: tools("log"), {Toolbox: "dev", Server: "list"}: tools("a", "b", "c"),
		}
		inList := called("a", domain.OutcomeOK, 1)
		inList.Server = "list"
		sum, err := report.Summarize(each(nil, called("log", domain.OutcomeOK, 1), inList))
		Expect(err).NotTo(HaveOccurred())
		started := called("", domain.OutcomeOK, 1)
		started.Kind, started.Server = domain.ActivityStart, "web"
		andStarted, err := report.Summarize(each(nil, called("log", domain.OutcomeOK, 1), started))
		Expect(err).NotTo(HaveOccurred())
		Expect(andStarted.Unused(toolboxes, known)).To(ContainElement(And(HaveField("Server", "web"), HaveField("NeverStarted", false))))

		Expect(sum.Unused(toolboxes, known)).To(Equal([]report.UnusedServer{
			{
				Toolbox: "dev", Server: "git", Tools: []activity.KnownTool{{Name: "blame", Tokens: 40}, {Name: "diff", Tokens: 20}}, Tokens: 60, Called: 1,
				ToolFilters: []string{"*", "!push", "!diff", "!blame"},
			},
			{Toolbox: "dev", Server: "web", Tools: []activity.KnownTool{{Name: "x", Tokens: 30}, {Name: "find", Tokens: 20}, {Name: "fetch", Tokens: 10}}, Tokens: 60, NeverStarted: true},
			{Toolbox: "dev", Server: "list", Tools: []activity.KnownTool{{Name: "b", Tokens: 20}}, Tokens: 20, Called: 1, ToolFilters: []string{"a"}},
		}))
	})

	It("has the tools of a lock for servers that were not opened", func() {
		git, web := domain.ServerID{Toolbox: "dev", Server: "git"}, domain.ServerID{Toolbox: "dev", Server: "web"}
		pinned := []domain.LockedTool{{Name: "locked", Pins: []domain.Pin{{Definition: make([]byte, 45)}}}}
		lock := &domain.Lock{Servers: []domain.LockedServer{{ID: git, Tools: pinned}, {ID: web, Tools: pinned}}}
		seen := []activity.KnownTool{{Name: "seen", Tokens: 1}}

		Expect(report.WithLocked(map[domain.ServerID][]activity.KnownTool{git: seen}, lock)).To(Equal(map[domain.ServerID][]activity.KnownTool{
			git: seen, web: {{Name: "locked", Tokens: 10}},
		}))
		Expect(report.WithLocked(nil, nil)).To(BeEmpty())
	})
})
