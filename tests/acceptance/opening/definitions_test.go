package opening_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Definitions in the size that is needed", func() {
	const read = `{"name":"read","title":"Read","description":"Reads a file. It has to exist.","inputSchema":{"type":"object",` +
		`"properties":{"path":{"type":"string"},"lines":{"type":"integer","default":10}},"required":["path"]},"outputSchema":{"type":"object"}}`
	const drop = `{"name":"drop","description":"Drops a table.","inputSchema":{"type":"object","properties":{"table":{"type":"string","enum":["a","b"]}},"required":["table"]}}`
	whole := func(definition, server string) string { return Shown(definition, server, "dev") }
	scripted := func(tools ...string) script.Script {
		return script.Script{Tools: tools, Rules: []script.Rule{script.Answer("", script.Text("done"))}}
	}
	// serve starts a workbench with more settings at the root.
	serve := func(settings string, toolboxes ...Toolbox) *Workbench {
		GinkgoHelper()
		w := Start(Launch{Config: "{" + settings + "," + strings.TrimPrefix(Configuration(toolboxes...), "{")})
		w.Initialize()
		return w
	}
	open := func(w *Workbench, arguments string) string {
		GinkgoHelper()
		return w.Call("open_toolbox", arguments).Text()
	}

	DescribeTable("lets a host open, read a signature, call, be taught, and call again",
		func(modern bool) {
			files := Scripted("files", scripted(read, drop))
			h := Connect(Start(Launch{
				Config: Configuration(NewToolbox("dev", files)), Env: []string{"WORKBENCH_DEFINITIONS=compact"},
			}), modern, "{}")

			answer := h.Request("tools/call", h.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`))
			Expect(answer.Text()).To(SatisfyAll(
				HavePrefix(`{"toolbox":"dev","description":"","servers_connected":1,"definitions":"compact","hint":"? is optional`),
				HaveSuffix(`"tools":{"files":["read(path: string, lines?: integer = 10) — Reads a file.",`+"\n"+
					`"drop(table: \"a\" | \"b\") — Drops a table."`+"\n]}}")))

			const wrong = `{"table":"c","cascade":true}`
			Expect(h.Use("dev", "files", "drop", wrong).Failure()).To(Equal(
				`Invalid arguments for tool 'drop' in server 'files' (toolbox 'dev'): 'table' must be "a" or "b"` + "\n" + whole(drop, "files")))
			Expect(files.ReceivedWith("tools/call")).To(BeEmpty())

			Expect(h.Use("dev", "files", "read", `{"path":"x"}`).Text()).To(Equal("done"))
			Expect(h.Use("dev", "files", "drop", wrong).Text()).To(Equal("done"))
			Expect(files.ReceivedWith("tools/call")).To(HaveLen(2))
		},
		Entry("with a handshake", false),
		Entry("of 2026-07-28", true),
	)

	It("shows every name of twenty megabytes of definitions, and each definition when it is asked for", Label("S03", "large"), func() {
		many := script.Script{PageSize: 100}
		var names []string
		for i := range 10_000 {
			names = append(names, fmt.Sprintf("tool-%d", i))
			many.Tools = append(many.Tools, fmt.Sprintf(`{"name":"tool-%d","inputSchema":{"type":"object","description":"%s"}}`,
				i, strings.Repeat("0123456789", 200)))
		}
		w := serve(`"definitions":"auto"`, NewToolbox("dev", Scripted("files", many)))

		var answer struct{ Tools map[string][]string }
		Expect(json.Unmarshal([]byte(open(w, `{"toolbox":"dev"}`)), &answer)).To(Succeed())

		Expect(answer.Tools["files"]).To(Equal(names))
		Expect(open(w, `{"toolbox":"dev","tools":["tool-9999"]}`)).To(HaveSuffix(`"tools":[` + whole(many.Tools[9999], "files") + "\n]}"))
	})
})

var _ = Describe("Opening a toolbox with an odd list of tools", func() {
	open := func(s script.Script, settings ...string) (Opened, *Workbench) {
		GinkgoHelper()
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Do: []script.Step{{Result: `{"content":[],"name":${name}}`}}})
		w := Serve(InDev(Scripted("odd", s, settings...)))
		return w.Open("dev"), w
	}

	It("shows more than 24 MiB of definitions in short, and the full ones of requested tools", Label("TO03", "large"), func() {
		long := `{"name":"long","description":"Reads. ` + strings.Repeat("x", 25<<20) + `","inputSchema":{"type":"object"}}`
		w := Serve(InDev(Scripted("odd", script.Script{Tools: []string{script.Tool("read"), long}})))
		Expect(w.Call("open_toolbox", `{"toolbox":"dev","tools":["read"]}`).Failure()).To(ContainSubstring("Unrecognized key"))

		opened := w.Call("open_toolbox", `{"toolbox":"dev"}`).Text()

		Expect(len(opened)).To(BeNumerically("<", 10_000))
		Expect(opened).To(And(ContainSubstring(`"definitions":"compact"`), ContainSubstring("Reads.")))
		Expect(w.Call("open_toolbox", `{"toolbox":"dev","tools":["long"]}`).Text()).To(ContainSubstring(long[:1<<20]))
	})

	It("shows the beginning of instructions that are too long for a model", Label("TO03"), func() {
		long := strings.Repeat("Read before you write. ", 1<<16)
		w := Serve(InDev(Scripted("odd", script.Script{Rules: []script.Rule{{Method: "initialize", Do: []script.Step{{
			Result: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"},"instructions":"` + long + `"}`,
		}}}}})))

		opened := w.Call("open_toolbox", `{"toolbox":"dev"}`).Text()

		Expect(opened).To(ContainSubstring(long[:256<<10] + `…"`))
		Expect(len(opened)).To(BeNumerically("<", 257<<10))
	})

	It("shows twenty megabytes of schemas whole", Label("S03", "large"), func() {
		var s script.Script
		s.PageSize = 100
		for i := range 10_000 {
			s.Tools = append(s.Tools, fmt.Sprintf(`{"name":"tool %d","inputSchema":{"type":"object","description":"%s"}}`,
				i, strings.Repeat("0123456789", 200)))
		}

		opened, w := open(s)

		Expect(opened.Tools).To(HaveLen(10_000))
		for i, tool := range opened.Tools {
			Expect(string(tool)).To(Equal(Shown(s.Tools[i], "odd", "dev")))
		}
		Expect(opened.Warnings).To(BeEmpty())
		Expect(string(w.Use("dev", "odd", "tool 9999", "{}").Result)).To(Equal(`{"content":[],"name":"tool 9999"}`))
	})

	It("warns about characters that reorder or hide text, and shows them", Label("X04"), func() {
		definition := `{"name":"t","description":"safe \u202etxet\u200b"}`

		opened, _ := open(script.Script{Tools: []string{definition}})

		Expect(string(opened.Tools[0])).To(Equal(Shown(definition, "odd", "dev")))
		Expect(opened.Warnings).To(Equal([]string{
			"Server 'odd': tool 't' has characters that hide or reorder text (description: U+202E, U+200B)",
		}))
	})

	DescribeTable("shows any schema", Label("S07"), func(schema string) {
		definition := `{"name":"t","inputSchema":` + schema + `}`

		opened, w := open(script.Script{Tools: []string{definition, `{"name":"other"}`}})

		Expect(string(opened.Tools[0])).To(Equal(Shown(definition, "odd", "dev")))
		Expect(opened.Tools).To(HaveLen(2))
		Expect(opened.Warnings).To(BeEmpty())
		Expect(string(w.Use("dev", "odd", "t", `{"any":"thing"}`).Result)).To(Equal(`{"content":[],"name":"t"}`))
	},
		Entry("alternatives at the top", `{"anyOf":[{"type":"object"},{"type":"null"}]}`),
		Entry("a reference to itself", `{"type":"object","properties":{"a":{"$ref":"#"}}}`),
		Entry("five megabytes", `{"type":"object","description":"`+strings.Repeat("0123456789", 500_000)+`"}`),
	)

	DescribeTable("calls a tool by its exact name", Label("S06"), func(name string) {
		opened, w := open(script.Script{Tools: []string{`{"name":` + Quote(name) + `}`}})

		Expect(opened.Names()).To(Equal([]string{name}))
		Expect(w.Use("dev", "odd", name, "{}").Result).To(MatchJSON(`{"content":[],"name":` + Quote(name) + `}`))
	},
		Entry("with underscores", "a__b_c"),
		Entry("with space", " a b\t"),
		Entry("with characters of all kinds", "é語🧰<&>\u2028"),
		Entry("of three hundred characters", strings.Repeat("x", 300)),
		Entry("that is also the name of a tool of the workbench", "use_tool"),
	)

	Describe("names that must not be shown", Label("S06", "X04"), func() {
		const escaped = `{"name":"re\u001b[31mad\u0007"}`

		It("are shown without hidden characters, and reach the tool either way", func() {
			opened, w := open(script.Script{Tools: []string{escaped}})

			Expect(opened.Names()).To(Equal([]string{"read"}))
			exact := `{"content":[],"name":"re\u001b[31mad\u0007"}`
			Expect(w.Use("dev", "odd", "read", "{}").Result).To(MatchJSON(exact))
			Expect(w.Use("dev", "odd", "re\x1b[31mad\a", "{}").Result).To(MatchJSON(exact))
		})

		It("do not replace a tool that has the name", func() {
			opened, w := open(script.Script{Tools: []string{escaped, `{"name":"read"}`}})

			Expect(opened.Names()).To(Equal([]string{"read", "read"}))
			Expect(w.Use("dev", "odd", "read", "{}").Result).To(MatchJSON(`{"content":[],"name":"read"}`))
		})

		It("do not get past a filter", func() {
			opened, w := open(script.Script{Tools: []string{escaped, `{"name":"write"}`}}, `"toolFilters": ["write"]`)

			Expect(opened.Names()).To(Equal([]string{"write"}))
			Expect(w.Use("dev", "odd", "read", "{}").Failure()).To(HavePrefix("Tool 'read' not found in server 'odd' (toolbox 'dev')"))
		})
	})
})

// definitionServer returns a server that lists raw definitions, and answers with the name
// in the call.
func definitionServer(definitions ...string) script.Script {
	return script.Script{Tools: definitions, Rules: []script.Rule{
		{Method: "tools/call", Do: []script.Step{{Result: `{"content":[],"called":${name}}`}}},
	}}
}

var _ = Describe("A registered tool", func() {
	for _, e := range Eras {
		It("has its server's definition except for name and description, for a host of "+e.Name, func() {
			const rest = `"title":"T","x":9007199254740993,"inputSchema":{"type":"object", "a":1.0},"outputSchema":{"type":"object","b":1e2},` +
				`"annotations":{"readOnlyHint":true,"odd":"odd"},"icons":[{"src":"data:,"}],"execution":{"taskSupport":"optional"},"_meta":{"k":null}}`
			host := ConnectDynamic(e, InDev(Scripted("files", definitionServer(`{"name":"read","description":"Reads.",`+rest))))
			host.Open("dev")

			Expect(string(host.Tools()[3])).To(Equal(`{"name":"dev__files_read","description":"[dev/files] Reads.",` + rest))
		})
	}

	It("passes trace context on, and its calls are logged like those of use_tool", func() {
		server := Scripted("files", WithTools("read"))
		w := Start(Launch{
			Config: strings.Replace(DynamicConfiguration(InDev(server)), "{", `{"logPayloads": true, "logLevel": "info",`, 1),
		})
		host := Connect(w, false, `{}`)
		host.Open("dev")

		host.Tool("dev__files_read", `{"path":"secret plan"}`, `"traceparent":"00-1-2-01"`)

		Expect(server.ReceivedWith("tools/call")).To(ConsistOf(ContainSubstring(`"_meta":{"traceparent":"00-1-2-01","progressToken":1}`)))
		Expect(host.End()).To(Equal(0))
		Expect(w.Stderr()).To(MatchRegexp(`a call" (session=\S+ )?toolbox=dev server=files tool=read arguments=.*secret plan`))
	})
})
