package mcpserver_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("The answer to a model about the lock", func() {
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
	)

	It("refuses to open a toolbox, with advice about a broken lock", func() {
		w.open = opens(domain.OpenedToolbox{}, &domain.LockBrokenError{Path: "/secret/place", Reason: "line 2 is not valid JSON"})

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(failedLine("1",
			"Error opening toolbox 'dev': workbench.lock.json cannot be used, and no tool can be used without it: line 2 is not valid JSON"+restored)))
	})

	It("says the same when a call would have opened the toolbox", func() {
		w.use = func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{}, &domain.LockBrokenError{Path: "/secret/place", Reason: "line 2 is not valid JSON"})
		}

		Expect(w.answer(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"}}`))).To(Equal(failedLine("1",
			"Error opening toolbox 'dev': workbench.lock.json cannot be used, and no tool can be used without it: line 2 is not valid JSON"+restored)))
	})

	DescribeTable("refuses to use a tool, with advice",
		func(why domain.WarningKind, detail, text string) {
			w.use = func(_ context.Context, tool domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
				reply(ports.Answer{}, &domain.ToolBlockedError{Tool: tool, Why: why, Detail: detail})
			}

			Expect(w.answer(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"}}`))).To(Equal(failedLine("1", text)))
		},
		Entry("that changed", domain.ChangedToolBlocked, "description",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since it is not as it was locked in workbench.lock.json: "+
				"its definition changed (description)"+reviewed),
	)
})
