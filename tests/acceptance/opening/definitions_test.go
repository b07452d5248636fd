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
