package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("Calling open_toolbox", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	dev := func(servers ...domain.OpenedServer) domain.OpenedToolbox {
		return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev", Description: "For <work>"}, Servers: servers}
	}
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	db := domain.ServerID{Toolbox: "dev", Server: "db"}
	tool := func(definition string) domain.ToolInfo {
		return domain.ToolInfo{Definition: json.RawMessage(definition)}
	}

	It("tells a host that takes the place of logins away that a login may be elsewhere", func() {
		w.limits.UsualPlaces = true
		w.open = opens(dev(domain.OpenedServer{ID: db, Failure: &domain.LoginRequiredError{ID: db, Why: "it asks for a login"}}), nil)
		answers := func(name string) string {
			return w.converse(request("1", "initialize", `{"clientInfo":{"name":"`+name+`"}}`), openToolbox("2", `{"toolbox":"dev"}`))[1]
		}

		Expect(answers("codex-mcp-client")).To(ContainSubstring("Codex does not pass XDG_STATE_HOME on, so a login that was made where that is set is not found"))
		Expect(answers("claude-code")).NotTo(ContainSubstring("XDG_STATE_HOME"))
	})

	It("answers with JSON in the order of the contract, byte for byte, with a line break after each tool", func() {
		w.open = opens(dev(
			domain.OpenedServer{
				ID: files, Instructions: "Be \"kind\".",
				Tools:    []domain.ToolInfo{tool(`{"name":"read","x":{"n":9007199254740993, "u":"é<>&"}}`), tool(`{"name":"b","server":1,"toolbox":[],"z":2}`)},
				Warnings: []domain.Warning{{Kind: domain.ToolListedTwice, Tool: "read"}},
			},
			domain.OpenedServer{ID: db, Failure: &domain.ServerUnavailableError{ID: db, Reason: errors.New("connection timeout")}},
		), nil)

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[`+
				`{"name":"read","x":{"n":9007199254740993, "u":"é<>&"},"server":"files","toolbox":"dev"},`+"\n"+
				`{"name":"b","z":2,"server":"files","toolbox":"dev"}`+"\n"+`],`+
				`"instructions":{"files":"Be \"kind\"."},`+
				`"_errors":["Failed to connect to server 'db' in toolbox 'dev': connection timeout"],`+
				`"_warnings":["Server 'files': tool 'read' is listed more than once; the first definition counts"]}`)))
	})

	It("leaves out empty members", func() {
		w.open = opens(dev(domain.OpenedServer{ID: files}), nil)

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[]}`)))
	})

	It("removes only unsafe characters from names and descriptions", func() {
		w.open = opens(dev(domain.OpenedServer{ID: files, Tools: []domain.ToolInfo{
			tool(`{"name":"re\u0001ad","description":"\u001b[31mred\u001b[0m","title":"\u001b[31m","n":1.0}`),
		}}), nil)

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[`+
				`{"name":"read","description":"red","title":"\u001b[31m","n":1.0,"server":"files","toolbox":"dev"}`+"\n]}")))
	})

	DescribeTable("says what is wrong with its arguments",
		func(arguments, text string) {
			w.open = nil

			Expect(w.answer(openToolbox("1", arguments))).To(Equal(failedLine("1", "Invalid parameters: "+text)))
		},
		Entry("no toolbox", `{}`, "toolbox cannot be empty"),
		Entry("arguments that are null", `null`, "toolbox cannot be empty"),
		Entry("an empty name", `{"toolbox":""}`, "toolbox cannot be empty"),
		Entry("a blank name", `{"toolbox":" \t\n"}`, "toolbox cannot be empty"),
		Entry("a number", `{"toolbox":7}`, "toolbox must be a string"),
		Entry("null", `{"toolbox":null}`, "toolbox must be a string"),
		Entry("an object", `{"toolbox":{}}`, "toolbox must be a string"),
		Entry("another key", `{"toolbox":"dev","extra_field":1}`, "Unrecognized key: 'extra_field'"),
		Entry("other keys", `{"a":1,"toolbox":"dev","b":1}`, "Unrecognized keys: 'a', 'b'"),
		Entry("the old name", `{"toolbox_name":"dev"}`, "toolbox cannot be empty; Unrecognized key: 'toolbox_name'"),
		Entry("a number and another key", `{"toolbox":7,"b":1}`, "toolbox must be a string; Unrecognized key: 'b'"),
		Entry("a key in another case", `{"Toolbox":"dev"}`, "toolbox cannot be empty; Unrecognized key: 'Toolbox'"),
		Entry("a key twice", `{"toolbox":"dev","toolbox":"ops"}`, "Duplicate key: 'toolbox'"),
		Entry("a list", `[]`, "arguments must be an object"),
		Entry("a text", `"dev"`, "arguments must be an object"),
	)

	It("treats missing arguments as empty ones", func() {
		Expect(w.answer(request("1", "tools/call", `{"name":"open_toolbox"}`))).To(Equal(
			failedLine("1", "Invalid parameters: toolbox cannot be empty")))
	})

	DescribeTable("says why a toolbox cannot be opened",
		func(opened domain.OpenedToolbox, err error, text string) {
			w.open = opens(opened, err)

			Expect(w.answer(openToolbox("1", `{"toolbox":"x"}`))).To(Equal(failedLine("1", text)))
		},
		Entry("there is none with the name", domain.OpenedToolbox{},
			&domain.ToolboxNotFoundError{Toolbox: "x", Available: []string{"development", "production"}},
			"Error: Toolbox 'x' not found. Available toolboxes: development, production"),
	)
})

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
