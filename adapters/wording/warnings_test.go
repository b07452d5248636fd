package wording_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var _ = Describe("A warning", func() {
	DescribeTable("about a server names it, the tool and what happened",
		func(warning domain.Warning, line string) {
			opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{{ID: files, Warnings: []domain.Warning{warning}}}}
			Expect(wording.Warnings(opened)).To(Equal([]string{"Server 'files': " + line}))
		},
		Entry("a name twice", domain.Warning{Kind: domain.ToolListedTwice, Tool: "a"},
			"tool 'a' is listed more than once; the first definition counts"),
		Entry("no name", domain.Warning{Kind: domain.ToolWithoutName, Detail: "3"},
			"entry 3 of the tool list has no name and was left out"),
		Entry("a tool that cannot be used", domain.Warning{Kind: domain.ToolLeftOut, Tool: "a", Detail: "odd"},
			"tool 'a' cannot be used and was left out: odd"),
		Entry("a page again", domain.Warning{Kind: domain.ListRepeated, Detail: "c"},
			"the tool list repeated a page (cursor 'c') and was cut there"),
		Entry("a limit", domain.Warning{Kind: domain.ListCut, Detail: "100 pages"}, "the tool list was cut at 100 pages"),
		Entry("a broken list", domain.Warning{Kind: domain.ListBroken, Detail: "gone"},
			"the tool list broke off after its first pages (gone); the tools shown may not be all"),
		Entry("an old list", domain.Warning{Kind: domain.ListNotRefreshed, Reason: errors.New("gone")},
			"its tools changed and could not be listed again (gone); the tools shown are the ones from before"),
		Entry("an old list of a server that asks for a login", domain.Warning{Kind: domain.ListNotRefreshed, Reason: &domain.LoginRequiredError{ID: files, Why: "it asks for a login"}},
			"the tools shown are the ones from before, since it asks for a login; to log in, the user can run `mcp-workbench login dev/files`; then try again"),
		Entry("a kind that has no text yet", domain.Warning{Kind: 999}, "there is a warning of an unknown kind (999)"),
		Entry("odd characters", domain.Warning{Kind: domain.SuspiciousText, Tool: "a", Detail: "title: U+202E"},
			"tool 'a' has characters that hide or reorder text (title: U+202E)"),
		Entry("odd characters in instructions", domain.Warning{Kind: domain.SuspiciousText, Detail: "U+202E"},
			"its instructions have characters that hide or reorder text (U+202E)"),
		Entry("odd characters in a prompt", domain.Warning{Kind: domain.SuspiciousPrompt, Tool: "a", Detail: "title: U+202E"},
			"prompt 'a' has characters that hide or reorder text (title: U+202E)"),
		Entry("a name with line breaks", domain.Warning{Kind: domain.NotLocked, Tool: "a\n- **b**" + strings.Repeat("x", 100)},
			`tool 'a\n- **b**`+strings.Repeat("x", 70)+`' … 30 more characters is not in workbench.lock.json`),
		Entry("a change in this run", domain.Warning{Kind: domain.DefinitionChanged, Tool: "a", Detail: "description, inputSchema"},
			"tool 'a' is not as it was shown before: the server changed its definition (description, inputSchema)"),
		Entry("a change since it was locked", domain.Warning{Kind: domain.ChangedSinceLocked, Tool: "a", Detail: "description"},
			"tool 'a' is not as it was locked in workbench.lock.json: its definition changed (description)"),
		Entry("a new tool", domain.Warning{Kind: domain.NotLocked, Tool: "a"}, "tool 'a' is not in workbench.lock.json"),
		Entry("a tool that is gone", domain.Warning{Kind: domain.LockedToolGone, Tool: "a"},
			"tool 'a' is in workbench.lock.json, but the server does not list it"),
		Entry("a blocked change", domain.Warning{Kind: domain.ChangedToolBlocked, Tool: "a", Detail: "description"},
			"tool 'a' is blocked, since it is not as it was locked in workbench.lock.json: its definition changed (description)"),
		Entry("a blocked new tool", domain.Warning{Kind: domain.UnknownToolBlocked, Tool: "a"},
			"tool 'a' is blocked, since it is not in workbench.lock.json"),
		Entry("a package that is not pinned", domain.Warning{Kind: domain.PackageNotPinned, Reason: errors.New("why")},
			"it was started as it is configured, and not at the version of its package that was locked: why"),
		Entry("a tool of the lock that cannot be compared", domain.Warning{Kind: domain.UncheckedToolBlocked, Tool: "a", Detail: "line 2"},
			"tool 'a' is blocked, since workbench.lock.json cannot be used: line 2"),
		Entry("instructions that changed", domain.Warning{Kind: domain.InstructionsChanged},
			"its instructions are not as they were locked in workbench.lock.json"),
		Entry("instructions that are blocked", domain.Warning{Kind: domain.InstructionsBlocked},
			"its instructions are left out, since they are not as they were locked in workbench.lock.json"),
		Entry("a name that is taken", domain.Warning{Kind: domain.NameTaken, Tool: "a", Detail: "dev__files_a"},
			"tool 'a' is not registered, since another tool has the name 'dev__files_a'; call it through use_tool"),
		Entry("a filter of a tool that is not listed", domain.Warning{Kind: domain.LeftOutToolMissing, Detail: "a"},
			`"toolFilters" leaves out the tool 'a', which the server does not list; the tool that was meant may be among these`),
		Entry("a failed first use", domain.Warning{Kind: domain.StartFailed, Reason: &domain.ServerUnavailableError{ID: files, Reason: errors.New("no such program")}},
			"it was shown before it was started, and then could not be started: no such program"),
		Entry("a restart", domain.Warning{Kind: domain.ServerRestarted, Reason: domain.ErrReplaced},
			"it was restarted, and what it had in memory is gone (its configuration changed)"),
	)

	DescribeTable("about the lock or the configuration names no server",
		func(warning domain.Warning, line string) {
			Expect(wording.Warnings(domain.OpenedToolbox{Warnings: []domain.Warning{warning}})).To(Equal([]string{line}))
		},
		Entry("a broken lock", domain.Warning{Kind: domain.LockUnusable, Detail: "line 2 is not valid JSON"},
			"workbench.lock.json cannot be used, so no tool was compared with it: line 2 is not valid JSON"),
		Entry("a lock with additions that do not count yet", domain.Warning{Kind: domain.LockMoreLater},
			"workbench.lock.json changed while the workbench runs, so what it newly allows does not count yet; to make it count, the user can run "+
				"`mcp-workbench lock --update` in a terminal, or restart the workbench"),
		Entry("no lock", domain.Warning{Kind: domain.LockMissing},
			"there is no workbench.lock.json to compare tools with; `mcp-workbench lock` writes it"),
		Entry("a configuration with a problem", domain.Warning{Kind: domain.ConfigurationNotRead, Detail: "line 3"},
			"the configuration changed and has a problem, for the user to correct, so the previous one is still in force: line 3"),
		Entry("a pattern without a tool", domain.Warning{Kind: domain.PatternUnmatched, Pattern: &domain.UnmatchedPattern{
			PatternPlace: domain.PatternPlace{Key: "confirm", Pattern: domain.ToolPattern{Text: "delte_*"}}, Nearest: []string{"delete_all"},
		}}, `the configuration has a mistake, for the user to correct: "confirm" names 'delte_*', which matches no tool; did you mean 'delete_all'?`),
	)

	It("has a text for every kind", func() {
		pattern := &domain.UnmatchedPattern{}
		for kind := domain.ToolListedTwice; kind <= domain.PromptNameTaken; kind++ {
			warning := domain.Warning{Kind: kind, Reason: errors.New("why"), Pattern: pattern}
			opened := domain.OpenedToolbox{
				Warnings: []domain.Warning{warning}, Servers: []domain.OpenedServer{{ID: files, Warnings: []domain.Warning{warning}}},
			}
			Expect(wording.Warnings(opened)).To(ContainElement(Not(ContainSubstring("unknown kind"))), "kind %d", kind)
			Expect(wording.UserWarnings(opened)).To(HaveEach(Not(MatchRegexp("(?i)the user|a model"))), "kind %d", kind)
		}
	})

	It("names the servers that are started when they are used", func() {
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{ID: files, Starting: true, AtUse: true}, {ID: domain.ServerID{Toolbox: "dev", Server: "db"}, Starting: true, AtUse: true},
		}}

		Expect(wording.Warnings(opened)).To(Equal([]string{
			"not started before their first use, and shown with the tools that they listed last: 'files', 'db'",
		}))
	})

	It("names the servers that are still starting, and says when registered names can be called", func() {
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{ID: files, Starting: true, Registered: map[string]string{"a": "dev__files_a"}},
			{ID: domain.ServerID{Toolbox: "dev", Server: "db"}, Starting: true},
		}}

		Expect(wording.Warnings(opened)).To(Equal([]string{
			"still starting, and shown with the tools that they listed last: 'files', 'db'; " +
				"the tools can be used now, and the first use waits for the server",
			"a registered_name can be called once the host has listed its tools again; until then use_tool works at once",
		}))
	})
})

var _ = Describe("Warnings about many tools of a server", func() {
	warned := func(more []domain.Warning, warnings ...domain.Warning) []string {
		return wording.Warnings(domain.OpenedToolbox{Warnings: more, Servers: []domain.OpenedServer{{ID: files, Warnings: warnings}}})
	}
	several := func(kind domain.WarningKind, count int) []domain.Warning {
		var warnings []domain.Warning
		for i := range count {
			warnings = append(warnings, domain.Warning{Kind: kind, Tool: fmt.Sprint("t", i), Detail: "title"})
		}
		return warnings
	}

	It("are joined whatever their errors are, even those that cannot be compared", func() {
		warnings := several(domain.LockedToolGone, 4)
		for i := range warnings {
			warnings[i].Reason = incomparableError{"why"}
		}
		Expect(warned(nil, warnings...)).To(HaveLen(1))
	})

	It("are one line for each kind of difference, if there are more than three", func() {
		Expect(warned(nil, several(domain.LockedToolGone, 3)...)).To(HaveLen(3))
		Expect(warned(nil, slices.Concat(several(domain.DefinitionChanged, 4), several(domain.ChangedToolBlocked, 33))...)).To(HaveExactElements(
			"Server 'files': 4 tools are not as they were shown before: the server changed their definitions: 't0' (title), 't1' (title), 't2' (title), 't3' (title)",
			And(HavePrefix("Server 'files': 33 tools are blocked, since they are not as they were locked in workbench.lock.json: 't0' (title), "),
				HaveSuffix("'t29' (title) and 3 more")),
		))
	})

	It("stay separate lines if they say something else", func() {
		Expect(warned(nil, several(domain.ToolLeftOut, 9)...)).To(HaveLen(9))
	})

	It("are one line about the server, if the lock does not have it", func() {
		notLocked := append([]domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}, {Kind: domain.ServerNotLocked}}, several(domain.NotLocked, 2)...)
		notLocked = append(notLocked, domain.Warning{Kind: domain.InstructionsChanged})

		Expect(warned(nil, notLocked...)).To(Equal([]string{
			"Server 'files': the tool list was cut at 100 pages",
			"Server 'files' is not in workbench.lock.json (2 tools); to review and add it, the user can run `mcp-workbench lock --update dev/files` in a terminal",
		}))
	})

	It("name no command that adds the server, if there is no lock", func() {
		missing := []domain.Warning{{Kind: domain.LockMissing}}

		Expect(warned(missing, append(several(domain.UnknownToolBlocked, 5), domain.Warning{Kind: domain.ServerNotLocked})...)[1]).To(Equal(
			"Server 'files': no tool of it can be used (5 are blocked), since there is no workbench.lock.json"))
	})
})

// incomparableError is an error that panics when it is compared.
type incomparableError []string

func (e incomparableError) Error() string { return e[0] }
