package mcpserver_test

import (
	"context"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("What a model reads about the lock", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	const reviewed = "\nAsk the user to look at the differences with `mcp-workbench lock --check` and, if they are right, " +
		"to accept them with `mcp-workbench lock --update` in a terminal; then open the toolbox again."
	const restored = "\nAsk the user to restore the file, or to write it again with `mcp-workbench lock --update` in a terminal; then open the toolbox again."
	answered := func(opened domain.OpenedToolbox, line string) {
		GinkgoHelper()
		w.open = opens(opened, nil)
		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"","servers_connected":1,"tools":[],"_warnings":[`+quote(line)+`]}`)))
	}

	DescribeTable("names server, tool and change in a warning",
		func(warning domain.Warning, line string) {
			answered(domain.OpenedToolbox{
				Toolbox: domain.Toolbox{Name: "dev"},
				Servers: []domain.OpenedServer{{ID: files, Warnings: []domain.Warning{warning}}},
			}, "Server 'files': "+line)
		},
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
	)

	DescribeTable("says what concerns the lock as a whole without a server",
		func(warning domain.Warning, line string) {
			answered(domain.OpenedToolbox{
				Toolbox: domain.Toolbox{Name: "dev"}, Servers: []domain.OpenedServer{{ID: files}},
				Warnings: []domain.Warning{warning},
			}, line)
		},
		Entry("a broken lock", domain.Warning{Kind: domain.LockUnusable, Detail: "line 2 is not valid JSON"},
			"workbench.lock.json cannot be used, so no tool was compared with it: line 2 is not valid JSON"),
		Entry("a lock with more than counts", domain.Warning{Kind: domain.LockMoreLater},
			"workbench.lock.json changed while the workbench runs, so what it newly allows does not count yet; to make it count, the user can run "+
				"`mcp-workbench lock --update` in a terminal, or restart the workbench"),
		Entry("no lock", domain.Warning{Kind: domain.LockMissing},
			"there is no workbench.lock.json to compare tools with; `mcp-workbench lock` writes it"),
	)

	It("refuses to open a toolbox with what to do about a broken lock", func() {
		w.open = opens(domain.OpenedToolbox{}, &domain.LockBrokenError{Path: "/secret/place", Reason: "line 2 is not valid JSON"})

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(failedLine("1",
			"Error opening toolbox 'dev': workbench.lock.json cannot be used, and without it no tool may be: line 2 is not valid JSON"+restored)))
	})

	It("says the same when a use of a tool was to open its toolbox", func() {
		w.use = func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{}, &domain.LockBrokenError{Path: "/secret/place", Reason: "line 2 is not valid JSON"})
		}

		Expect(w.answer(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"}}`))).To(Equal(failedLine("1",
			"Error opening toolbox 'dev': workbench.lock.json cannot be used, and without it no tool may be: line 2 is not valid JSON"+restored)))
	})

	DescribeTable("refuses to use a tool with what to do",
		func(why domain.WarningKind, detail, text string) {
			w.use = func(_ context.Context, tool domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
				reply(ports.Answer{}, &domain.ToolBlockedError{Tool: tool, Why: why, Detail: detail})
			}

			Expect(w.answer(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"}}`))).To(Equal(failedLine("1", text)))
		},
		Entry("that changed", domain.ChangedToolBlocked, "description",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since it is not as it was locked in workbench.lock.json: "+
				"its definition changed (description)"+reviewed),
		Entry("that nobody knows", domain.UnknownToolBlocked, "",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since it is not in workbench.lock.json"+reviewed),
		Entry("that cannot be checked", domain.UncheckedToolBlocked, "line 2 is not valid JSON",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since workbench.lock.json cannot be used: line 2 is not valid JSON"+restored),
	)
})
