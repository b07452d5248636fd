package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Calling open_toolbox", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	dev := func(servers ...domain.OpenedServer) domain.OpenedToolbox {
		return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev", Description: "For <work>"}, Servers: servers}
	}
	whole := wording.Showing{Form: definitions.Full}
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	db := domain.ServerID{Toolbox: "dev", Server: "db"}
	tool := func(definition string) domain.ToolInfo {
		return domain.ToolInfo{Definition: json.RawMessage(definition)}
	}

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

	It("leaves out what there is nothing of", func() {
		w.open = opens(dev(domain.OpenedServer{ID: files}), nil)

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[]}`)))
	})

	It("takes out of names and descriptions what must not be shown, and nothing else", func() {
		w.open = opens(dev(domain.OpenedServer{ID: files, Tools: []domain.ToolInfo{
			tool(`{"name":"re\u0001ad","description":"\u001b[31mred\u001b[0m","title":"\u001b[31m","n":1.0}`),
		}}), nil)

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
			`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[`+
				`{"name":"read","description":"red","title":"\u001b[31m","n":1.0,"server":"files","toolbox":"dev"}`+"\n]}")))
	})

	It("makes the answer once for each change, and not for each opening", spec.InBubble(func(t *testing.T) {
		definition := []byte(`{"name":"one"}`)
		offered := dev(domain.OpenedServer{ID: files, Tools: []domain.ToolInfo{{Name: "one", Definition: definition}}})
		w.open = func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) { return offered, nil }
		c := w.begin(t)
		open := openToolbox("1", `{"toolbox":"dev"}`)
		Expect(c.send(open)).To(HaveExactElements(ContainSubstring(`\"name\":\"one\"`)))

		copy(definition, `{"name":"ONE"}`) // which nobody looks at again
		Expect(c.send(open)).To(HaveExactElements(ContainSubstring(`\"name\":\"one\"`)))

		offered.Servers = []domain.OpenedServer{{ID: files, Tools: []domain.ToolInfo{{Name: "two", Definition: []byte(`{"name":"two"}`)}}}}
		Expect(c.send(open)).To(HaveExactElements(ContainSubstring(`\"name\":\"two\"`)))
	}))

	DescribeTable("makes the answer again when something else changes that it shows",
		func(change func(*domain.OpenedToolbox)) {
			opened := func() domain.OpenedToolbox {
				return dev(domain.OpenedServer{
					ID: files, Instructions: "x", Registered: map[string]string{"a": "dev__files_a"},
					Tools:    []domain.ToolInfo{{Name: "a", Definition: []byte(`{"name":"a"}`)}},
					Warnings: []domain.Warning{{Kind: domain.ToolListedTwice, Tool: "a"}},
				}, domain.OpenedServer{ID: db, Failure: &domain.ServerUnavailableError{ID: db, Reason: errors.New("gone")}})
			}
			answer := wording.NewOpenAnswer(opened(), whole)
			Expect(answer.Fits(opened(), whole)).To(BeTrue())
			changed := opened()
			change(&changed)

			Expect(answer.Fits(changed, whole)).To(BeFalse())
			Expect(wording.NewOpenAnswer(changed, whole).Result()).NotTo(Equal(answer.Result()))
		},
		Entry("the description", func(o *domain.OpenedToolbox) { o.Toolbox.Description = "y" }),
		Entry("a warning about all", func(o *domain.OpenedToolbox) { o.Warnings = []domain.Warning{{Kind: domain.LockMissing}} }),
		Entry("a warning about a server", func(o *domain.OpenedToolbox) { o.Servers[0].Warnings[0].Tool = "b" }),
		Entry("instructions", func(o *domain.OpenedToolbox) { o.Servers[0].Instructions = "y" }),
		Entry("a registered name", func(o *domain.OpenedToolbox) { o.Servers[0].Registered["a"] = "dev__files_b" }),
		Entry("a definition", func(o *domain.OpenedToolbox) { o.Servers[0].Tools[0].Definition = []byte(`{"name":"b"}`) }),
		Entry("a tool fewer", func(o *domain.OpenedToolbox) { o.Servers[0].Tools = nil }),
		Entry("a server that came up", func(o *domain.OpenedToolbox) { o.Servers[1].Failure = nil }),
		Entry("the reason of a failure", func(o *domain.OpenedToolbox) { o.Servers[1].Failure = domain.ErrShuttingDown }),
		Entry("a server fewer", func(o *domain.OpenedToolbox) { o.Servers = o.Servers[:1] }),
	)

	It("makes the answer again for a host that passes on less, and when the form or the budget is another", func() {
		opened := dev(domain.OpenedServer{ID: files})
		answer := wording.NewOpenAnswer(opened, whole)

		Expect(answer.Fits(opened, whole)).To(BeTrue())
		for _, other := range []wording.Showing{
			{Form: definitions.Lean}, {Form: definitions.Full, Budget: 1}, {Form: definitions.Full, Host: wording.HostNamed("opencode")},
		} {
			Expect(answer.Fits(opened, other)).To(BeFalse())
		}
	})

	DescribeTable("warns with server and tool",
		func(warning domain.Warning, line string) {
			w.open = opens(dev(domain.OpenedServer{ID: files, Warnings: []domain.Warning{warning}}), nil)

			Expect(w.answer(openToolbox("1", `{"toolbox":"dev"}`))).To(Equal(textLine("1",
				`{"toolbox":"dev","description":"For <work>","servers_connected":1,"tools":[],"_warnings":[`+quote("Server 'files': "+line)+`]}`)))
		},
		Entry("a name twice", domain.Warning{Kind: domain.ToolListedTwice, Tool: "a"},
			"tool 'a' is listed more than once; the first definition counts"),
		Entry("no name", domain.Warning{Kind: domain.ToolWithoutName, Detail: "3"},
			"entry 3 of the tool list has no name and was left out"),
		Entry("a tool that cannot be used", domain.Warning{Kind: domain.ToolLeftOut, Tool: "a", Detail: "odd"},
			"tool 'a' cannot be used and was left out: odd"),
		Entry("a page again", domain.Warning{Kind: domain.ListRepeated, Detail: "c"},
			"the tool list came back to a page that it had shown (cursor 'c') and was cut there"),
		Entry("a limit", domain.Warning{Kind: domain.ListCut, Detail: "100 pages"}, "the tool list was cut at 100 pages"),
		Entry("a broken list", domain.Warning{Kind: domain.ListBroken, Detail: "gone"},
			"the tool list broke off after its first pages (gone); the tools shown may not be all"),
		Entry("an old list", domain.Warning{Kind: domain.ListNotRefreshed, Reason: errors.New("gone")},
			"its tools changed and could not be listed again (gone); the tools shown are the ones from before"),
		Entry("a kind that has no text yet", domain.Warning{Kind: 999}, "there is a warning of an unknown kind (999)"),
		Entry("odd characters", domain.Warning{Kind: domain.SuspiciousText, Tool: "a", Detail: "title: U+202E"},
			"tool 'a' has characters that hide or reorder text (title: U+202E)"),
		Entry("odd characters in instructions", domain.Warning{Kind: domain.SuspiciousText, Detail: "U+202E"},
			"its instructions have characters that hide or reorder text (U+202E)"),
		Entry("odd characters in a prompt", domain.Warning{Kind: domain.SuspiciousPrompt, Tool: "a", Detail: "title: U+202E"},
			"prompt 'a' has characters that hide or reorder text (title: U+202E)"),
		Entry("a name that makes lines", domain.Warning{Kind: domain.NotLocked, Tool: "a\n- **b**" + strings.Repeat("x", 100)},
			`tool 'a\n- **b**`+strings.Repeat("x", 70)+`' … 30 more characters is not in workbench.lock.json`),
	)

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

	It("takes a call without arguments for one with empty ones", func() {
		Expect(w.answer(request("1", "tools/call", `{"name":"open_toolbox"}`))).To(Equal(
			failedLine("1", "Invalid parameters: toolbox cannot be empty")))
	})

	DescribeTable("says why a toolbox cannot be opened",
		func(opened domain.OpenedToolbox, err error, text string) {
			w.open = opens(opened, err)

			Expect(w.answer(openToolbox("1", `{"toolbox":"x"}`))).To(Equal(failedLine("1", text)))
		},
		Entry("there is none of the name", domain.OpenedToolbox{},
			&domain.ToolboxNotFoundError{Toolbox: "x", Available: []string{"development", "production"}},
			"Error: Toolbox 'x' not found. Available toolboxes: development, production"),
		Entry("there is none at all", domain.OpenedToolbox{}, &domain.ToolboxNotFoundError{Toolbox: "x"},
			"Error: Toolbox 'x' not found. Available toolboxes: none"),
		Entry("no server can be reached", dev(
			domain.OpenedServer{ID: files, Failure: &domain.ServerUnavailableError{ID: files, Reason: errors.New("no such program")}},
			domain.OpenedServer{ID: db, Failure: domain.ErrShuttingDown},
		), domain.ErrAllServersFailed,
			"Error opening toolbox 'x': Failed to connect to server 'files' in toolbox 'dev': no such program; "+
				"Failed to connect to server 'db' in toolbox 'dev': the workbench is shutting down"),
		Entry("the workbench is ending", domain.OpenedToolbox{}, domain.ErrShuttingDown,
			"Error opening toolbox 'x': the workbench is shutting down"),
		Entry("for a reason that nobody foresaw, which stays on stderr", domain.OpenedToolbox{}, errors.New("secret"),
			"Error opening toolbox 'x': internal error"),
	)
})
