package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

// searchTool is a definition with everything that the forms treat differently.
const searchTool = `{"name":"search","title":"T","description":"Search it. Then more.","inputSchema":{"type":"object",` +
	`"properties":{"q":{"type":"string"},"n":{"type":"integer","default":1}},"required":["q"], "x":9007199254740993},` +
	`"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`

func listedTool(definition string) domain.ToolInfo {
	var named struct{ Name string }
	Expect(json.Unmarshal([]byte(definition), &named)).To(Succeed())
	return domain.ToolInfo{Name: named.Name, Shown: domain.ShownText(named.Name), Definition: json.RawMessage(definition)}
}

func serverWith(name domain.ServerName, tools ...string) domain.OpenedServer {
	server := domain.OpenedServer{ID: domain.ServerID{Toolbox: "dev", Server: name}}
	for _, tool := range tools {
		server.Tools = append(server.Tools, listedTool(tool))
	}
	return server
}

func devWith(servers ...domain.OpenedServer) domain.OpenedToolbox {
	return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev", Description: "D"}, Servers: servers}
}

// shownText is the text of an answer.
func shownText(line string) string {
	GinkgoHelper()
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	Expect(json.Unmarshal([]byte(line), &answer)).To(Succeed(), line)
	Expect(answer.Result.IsError).To(BeFalse(), line)
	return answer.Result.Content[0].Text
}

var _ = Describe("How much of its tools open_toolbox shows", func() {
	var w *workbench
	BeforeEach(func() {
		w = newWorkbench()
		w.toolboxes = fakeInstructions{{Name: "dev"}}
	})
	open := func(form definitions.Form, opened domain.OpenedToolbox) string {
		GinkgoHelper()
		w.settings = definitions.Settings{Default: form, Budget: definitions.DefaultBudget}
		w.open = opens(opened, nil)
		return shownText(w.answer(openToolbox("1", `{"toolbox":"dev"}`)))
	}
	const compactHint = `"hint":"? is optional, = a default, … left out. ~ marks tools whose definition says more: ` +
		`see it with open_toolbox and \"tools\": [\"name\", …] before you use them."`

	It("is lean: name, description and input schema in the server's bytes", func() {
		Expect(open(definitions.Lean, devWith(serverWith("s", searchTool)))).To(Equal(
			`{"toolbox":"dev","description":"D","servers_connected":1,"tools":[{"name":"search","description":"Search it. Then more.",` +
				`"inputSchema":{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"integer","default":1}},` +
				`"required":["q"], "x":9007199254740993},"server":"s","toolbox":"dev"}` + "\n]}"))
		Expect(w.shownWhole()).To(Equal([]string{"s/search"}))
	})

	It("is compact: signatures by server, a line break after each, and a key to the notation", func() {
		failed := domain.OpenedServer{ID: domain.ServerID{Toolbox: "dev", Server: "down"}, Failure: domain.ErrShuttingDown}
		first := serverWith("s", searchTool, `{"name":"b","inputSchema":{"type":"object"}}`)
		first.Instructions = "Be kind."
		first.Warnings = []domain.Warning{{Kind: domain.ToolListedTwice, Tool: "b"}}

		Expect(open(definitions.Compact, devWith(first, serverWith("none"), failed))).To(Equal(
			`{"toolbox":"dev","description":"D","servers_connected":2,"definitions":"compact",` + compactHint + `,` +
				`"tools":{"s":["search(q: string, n?: integer = 1) — Search it.",` + "\n" + `"b()"` + "\n" + `],"none":[]},` +
				`"instructions":{"s":"Be kind."},"_errors":["Failed to connect to server 'down' in toolbox 'dev': the workbench is shutting down"],` +
				`"_warnings":["Server 's': tool 'b' is listed more than once; the first definition counts"]}`))
		Expect(w.shownWhole()).To(BeEmpty())
	})

	It("is names with the first sentence", func() {
		Expect(open(definitions.Names, devWith(serverWith("s", searchTool)))).To(SatisfyAll(
			HavePrefix(`{"toolbox":"dev","description":"D","servers_connected":1,"definitions":"names","hint":"These are names only.`),
			HaveSuffix(`,"tools":{"s":["search — Search it."`+"\n]}}")))
	})

	It("is, with auto, the fullest form within the budget for the whole answer", func() {
		manyTools := func(n int) domain.OpenedServer {
			tools := make([]string, n)
			for i := range tools {
				tools[i] = strings.Replace(searchTool, `"search"`, fmt.Sprintf(`"search%d"`, i), 1)
			}
			return serverWith("s", tools...)
		}
		forms := map[string]bool{}
		for n := 1; n < 700; n += 9 {
			server := manyTools(n)
			server.Instructions = strings.Repeat("long ", 100)
			text := open(definitions.Auto, devWith(server))
			Expect(len(text)).To(BeNumerically("<=", definitions.DefaultBudget), "%d tools", n)
			var answer struct{ Definitions string }
			Expect(json.Unmarshal([]byte(text), &answer)).To(Succeed())
			forms[answer.Definitions] = true
		}
		Expect(forms).To(Equal(map[string]bool{"": true, "compact": true, "names": true}))
	})

	It("is reduced for a host that truncates answers", spec.InBubble(func(t *testing.T) {
		tools := make([]string, 300)
		for i := range tools {
			tools[i] = strings.Replace(searchTool, `"search"`, fmt.Sprintf(`"search%d"`, i), 1)
		}
		w.settings = definitions.Settings{Default: definitions.Auto, Budget: 1 << 20}
		w.open = opens(devWith(serverWith("s", tools...)), nil)
		c := w.begin(t)
		c.send(request("1", "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}`))

		text := shownText(c.send(openToolbox("2", `{"toolbox":"dev"}`))[0])

		Expect(len(text)).To(BeNumerically("<=", 40_000))
		Expect(text).To(ContainSubstring(`"definitions":"compact"`))
		Expect(text).NotTo(ContainSubstring("_warnings"))
	}))

	It("states the rule for registered names once, and only names that differ from it", func() {
		server := serverWith("s", searchTool, `{"name":"odd name"}`, `{"name":"taken"}`)
		server.Registered = map[string]string{"search": "dev__s_search", "odd name": "dev__s_odd-name_12345678"}

		text := open(definitions.Names, devWith(server))

		Expect(text).To(ContainSubstring(` Each is also a tool of its own, named dev__SERVER_TOOL, or as registered_names says.",` +
			`"registered_names":{"s":{"odd name":"dev__s_odd-name_12345678"}},"tools":{"s":["search — Search it.",`))
		server.Registered = map[string]string{"search": "dev__s_search"}
		Expect(open(definitions.Names, devWith(server))).To(ContainSubstring(`named dev__SERVER_TOOL.","tools":{`))
	})

	It("causes a warning on standard error when it is long, with the setting that helps", func() {
		long := fmt.Sprintf(`{"name":"long","description":%q}`, strings.Repeat("word ", 9000))

		open(definitions.Full, devWith(serverWith("s", long)))

		Expect(w.log.lines()).To(ContainElement(SatisfyAll(ContainSubstring("level=WARN"), ContainSubstring("toolbox=dev"),
			ContainSubstring("it has 45 KB, about "), ContainSubstring(`\"definitions\": \"auto\"`))))
	})
})

var _ = Describe("The argument tools of open_toolbox", func() {
	var w *workbench
	const second = `{"name":"b","z":[1.0],"description":"B"}`
	BeforeEach(func() {
		w = newWorkbench()
		w.toolboxes = fakeInstructions{{Name: "dev"}}
		w.settings = definitions.Settings{Default: definitions.Compact, Budget: definitions.DefaultBudget}
		blocked := serverWith("t", second, `{"name":"search2"}`)
		blocked.Warnings = []domain.Warning{{Kind: domain.UnknownToolBlocked, Tool: "locked"}}
		w.open = opens(devWith(serverWith("s", searchTool, second), blocked), nil)
	})
	selected := func(tools string) string {
		GinkgoHelper()
		return shownText(w.answer(openToolbox("1", `{"toolbox":"dev","tools":`+tools+`}`)))
	}
	const head = `{"toolbox":"dev","description":"D","servers_connected":2,"tools":[`
	inS := func(definition string) string {
		return strings.TrimSuffix(definition, "}") + `,"server":"s","toolbox":"dev"}`
	}
	inT := func(definition string) string {
		return strings.TrimSuffix(definition, "}") + `,"server":"t","toolbox":"dev"}`
	}
	blockedLine := `"Server 't': tool 'locked' is blocked, since it is not in workbench.lock.json"`
	warned := func(lines ...string) string {
		return `],"_warnings":[` + strings.Join(append(lines, blockedLine), ",") + `]}`
	}

	It("shows whole definitions of just these, in the order of the servers, and remembers that", func() {
		Expect(selected(`["b","search"]`)).To(Equal(head + inS(searchTool) + ",\n" + inS(second) + ",\n" + inT(second) + "\n" + warned()))
		Expect(w.shownWhole()).To(Equal([]string{"s/search", "s/b", "t/b"}))
	})

	It("shows the instructions of a server until the host was shown them, and changed ones again", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		shows := func(arguments, text string) string {
			server := serverWith("s", second)
			server.Instructions = text
			w.open = opens(devWith(server), nil)
			_, after, _ := strings.Cut(shownText(c.send(openToolbox("1", arguments))[0]), `,"instructions":`)
			return after
		}

		Expect(shows(`{"toolbox":"dev","tools":["b"]}`, "Be kind.")).To(Equal(`{"s":"Be kind."}}`))
		Expect(shows(`{"toolbox":"dev","tools":["b"]}`, "Be kind.")).To(BeEmpty())
		Expect(shows(`{"toolbox":"dev"}`, "Be kind.")).To(Equal(`{"s":"Be kind."}}`))
		Expect(shows(`{"toolbox":"dev","tools":[]}`, "Be quick.")).To(Equal(`{"s":"Be quick."}}`))
		Expect(shows(`{"toolbox":"dev","tools":[]}`, "Be quick.")).To(BeEmpty())
	}))

	It("accepts names with their server, and repeated names", func() {
		Expect(selected(`["t/b","t/b"]`)).To(Equal(head + inT(second) + "\n" + warned()))
	})

	It("shows none for an empty list, and all in short form for null", func() {
		Expect(selected(`[]`)).To(Equal(head + warned()))
		Expect(w.shownWhole()).To(BeEmpty())
		Expect(selected(`null`)).To(ContainSubstring(`"definitions":"compact"`))
	})

	It("warns of unknown names, with similar ones", func() {
		Expect(selected(`["serch","b","s/search2","nothing like it","serch"]`)).To(Equal(head + inS(second) + ",\n" + inT(second) + "\n" + warned(
			`"Tool 'serch' not found in toolbox 'dev'; did you mean 'search' or 'search2'?"`,
			`"Tool 's/search2' not found in toolbox 'dev'; did you mean 's/search' or 't/search2' or 'search2'?"`,
			`"Tool 'nothing like it' not found in toolbox 'dev'"`)))
	})

	It("says about a blocked tool only that the lock blocks it", func() {
		Expect(selected(`["locked","t/locked"]`)).To(Equal(head + warned()))
	})

	It("limits the warnings in the answer", func() {
		names := make([]string, 1000)
		for i := range names {
			names[i] = fmt.Sprintf(`"%s%d"`, strings.Repeat("x", 1000), i)
		}
		text := selected(`[` + strings.Join(names, ",") + `]`)

		Expect(len(text)).To(BeNumerically("<", 10_000))
		Expect(text).To(ContainSubstring(`"970 more tools not found in toolbox 'dev'"`))
	})

	DescribeTable("is refused when it is not a list of names",
		func(tools, text string) {
			Expect(w.answer(openToolbox("1", `{"toolbox":"dev","tools":`+tools+`}`))).To(Equal(failedLine("1", "Invalid parameters: "+text)))
		},
		Entry(nil, `"search"`, "tools must be a list of strings"),
		Entry(nil, `{"a":1}`, "tools must be a list of strings"),
		Entry(nil, `true`, "tools must be a list of strings"),
		Entry(nil, `["a",1]`, "tools must be a list of strings"),
		Entry(nil, `["a",null]`, "tools must be a list of strings"),
		Entry(nil, `["a",""]`, "a name in tools cannot be empty"),
	)

	It("reports every mistake", func() {
		Expect(w.answer(openToolbox("1", `{"tools":3,"more":1}`))).To(Equal(failedLine("1",
			"Invalid parameters: toolbox cannot be empty; tools must be a list of strings; Unrecognized key: 'more'")))
	})

	It("is an unrecognized key when every toolbox is shown in full, and of close_toolbox", func() {
		w.settings = definitions.Settings{}

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev","tools":[]}`))).To(Equal(failedLine("1", "Invalid parameters: Unrecognized key: 'tools'")))
		Expect(w.answer(request("2", "tools/list", `{}`))).NotTo(ContainSubstring(`"tools":{`))
	})

	It("mentions that wrong calls are answered with the definition, if they are", func() {
		const promise = "A call that does not is answered with the tool's full definition, unless that was shown."
		Expect(w.answer(request("1", "tools/list", `{}`))).To(ContainSubstring(promise))
		w.settings.Validation = definitions.ValidateNone

		Expect(w.answer(request("1", "tools/list", `{}`))).NotTo(ContainSubstring(promise))
	})

	DescribeTable("is in the schema when a toolbox has another form, and the descriptions say what is shown",
		func(form definitions.Form, words ...string) {
			w.toolboxes = fakeInstructions{{Name: "whole"}, {Name: "dev"}}
			w.settings = definitions.Settings{ByToolbox: map[domain.ToolboxName]definitions.Form{"dev": form}}

			list := w.answer(request("2", "tools/list", `{}`))

			Expect(list).To(ContainSubstring(`},"tools":{"type":"array","items":{"type":"string","minLength":1},"description":"`))
			Expect(list).To(ContainSubstring("returns their tools as JSON, as full definitions; or as " + words[0]))
			Expect(list).To(ContainSubstring(words[1]))
		},
		Entry("lean", definitions.Lean, "objects with name, description, inputSchema, server and toolbox. With tools, only these are returned, with their full definitions. Call", "must fit the tool's inputSchema."),
		Entry("compact", definitions.Compact, "signatures, by server. With tools,", "must fit the tool's signature or inputSchema."),
		Entry("names", definitions.Names, "names with a short description, by server. With tools,", "must fit the tool's signature or inputSchema."),
		Entry("auto", definitions.Auto, "objects with name, description and inputSchema, as signatures, or as names, depending on how many there are. With tools,", "must fit the tool's signature or inputSchema."),
	)
})
