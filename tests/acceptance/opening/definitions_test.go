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

	It("shows the full definitions of exactly the requested tools, and warns about unknown ones", func() {
		files := Scripted("files", scripted(read, drop), `"toolFilters":["read"]`)
		w := serve(`"definitions":"names"`, NewToolbox("dev", files, Scripted("db", scripted(drop, read))))
		const head = `{"toolbox":"dev","description":"","servers_connected":2,"tools":[`

		Expect(open(w, `{"toolbox":"dev","tools":["drop","files/read"]}`)).To(Equal(
			head + whole(read, "files") + ",\n" + whole(drop, "db") + "\n]}"))
		Expect(open(w, `{"toolbox":"dev","tools":[]}`)).To(Equal(head + "]}"))
		Expect(open(w, `{"toolbox":"dev","tools":["files/drop","raed"]}`)).To(Equal(head +
			`],"_warnings":["Tool 'files/drop' not found in toolbox 'dev'","Tool 'raed' not found in toolbox 'dev'; did you mean 'read'?"]}`))
		Expect(w.Call("open_toolbox", `{"toolbox":"dev","tools":"read"}`).Failure()).To(Equal("Invalid parameters: tools must be a list of strings"))

		w.Use("dev", "files", "read", `{}`)
		Expect(files.ReceivedWith("tools/call")).To(HaveLen(1), "a tool that was shown whole is not checked")
	})

	DescribeTable("checks calls as the setting validate says",
		func(settings string, refused ...bool) {
			files := Scripted("files", scripted(read))
			w := serve(settings, NewToolbox("dev", files))
			open(w, `{"toolbox":"dev"}`)
			for _, isRefused := range refused {
				before := len(files.ReceivedWith("tools/call"))
				Expect(w.Use("dev", "files", "read", `{"path":1}`).IsFailure()).To(Equal(isRefused))
				if !isRefused {
					before++
				}
				Expect(files.ReceivedWith("tools/call")).To(HaveLen(before))
			}
		},
		Entry("not in lean", `"definitions":"lean"`, false),
		Entry("once in compact", `"definitions":"compact"`, true, false),
		Entry("never, if configured", `"definitions":"names","validate":false`, false),
	)

	It("warns the user about a long answer, and stays under the limit if it may choose the form", func() {
		big := make([]string, 60)
		for i := range big {
			big[i] = fmt.Sprintf(`{"name":"tool-%d","description":"Does it. %s","inputSchema":{"type":"object"}}`, i, strings.Repeat("x", 1000))
		}
		w := serve(`"definitions":"full"`, NewToolbox("dev", Scripted("files", scripted(big...))))
		open(w, `{"toolbox":"dev"}`)
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(SatisfyAll(ContainSubstring("several hosts cut a result at 40 KB"), ContainSubstring(`\"definitions\": \"auto\"`)))

		w = serve(`"definitions":"auto","limits":{"definitions":"2KiB"}`, NewToolbox("dev", Scripted("files", scripted(big...))))
		text := open(w, `{"toolbox":"dev"}`)
		Expect(len(text)).To(BeNumerically("<=", 2048))
		var answer struct{ Tools map[string][]string }
		Expect(json.Unmarshal([]byte(text), &answer)).To(Succeed())
		Expect(answer.Tools["files"]).To(HaveLen(60))
	})

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

	It("shows tools whose schema says little, nothing or too much, and refuses no call of them", func() {
		huge := `{"type":"object","properties":{"p":{"enum":["` + strings.Repeat("x", 1<<20) + `"]}},"required":["p"]}`
		schemas := []string{`true`, `null`, `[]`, `{}`, `{"$ref":"#"}`, `{"type":"object","properties":{"p":{"$ref":"#"}}}`, huge}
		tools := []string{`{"name":"none"}`}
		for i, schema := range schemas {
			tools = append(tools, fmt.Sprintf(`{"name":"tool-%d","inputSchema":%s}`, i, schema))
		}
		files := Scripted("files", scripted(tools...))
		w := serve(`"definitions":"compact"`, NewToolbox("dev", files))

		var answer struct{ Tools map[string][]string }
		Expect(json.Unmarshal([]byte(open(w, `{"toolbox":"dev"}`)), &answer)).To(Succeed())

		Expect(answer.Tools["files"]).To(HaveLen(len(tools)))
		for i := range schemas {
			Expect(answer.Tools["files"][i+1]).To(HavePrefix(fmt.Sprintf("tool-%d", i)))
			Expect(len(answer.Tools["files"][i+1])).To(BeNumerically("<", 100))
			Expect(w.Use("dev", "files", fmt.Sprintf("tool-%d", i), `{"p":{"p":1}}`).Text()).To(Equal("done"))
		}
		Expect(w.Use("dev", "files", "none", `{"a":1}`).Text()).To(Equal("done"))
	})
})
