package opening_test

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Finding a tool", Label("section 20"), func() {
	reader := func() script.Script {
		s := WithDefinitions(
			`{"name":"read_file","description":"Reads a file.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`,
			`{"name":"drop_table","description":"Deletes a table."}`,
		)
		s.Rules = []script.Rule{script.Answer("read_file", script.Text("what was read"))}
		return s
	}
	reading := func(name string) Server {
		GinkgoHelper()
		return Scripted(name, reader())
	}
	finding := func(toolboxes ...Toolbox) string {
		GinkgoHelper()
		return `{"findTool": true, ` + Configuration(toolboxes...)[1:]
	}
	text := func(path string) string {
		GinkgoHelper()
		content, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(content)
	}
	find := func(w *Workbench, query string) string {
		GinkgoHelper()
		return w.Call("find_tool", `{"query":"`+query+`"}`).Text()
	}

	const line = "dev/files/read_file(path: string) — Reads a file."

	It("finds the tools of open toolboxes by words, the best first, and names toolboxes that were never opened", func() {
		closed := NewToolbox("office", reading("papers"))
		closed.Description = "Spreadsheets and letters"
		server := reading("files")
		w := Start(Launch{Config: finding(InDev(server), closed)})

		Expect(find(w, "a spreadsheet")).To(Equal("toolbox office — Spreadsheets and letters (its tools are not all known until it is opened)\nopen_toolbox shows the tools of a toolbox.\n" +
			"Not searched: dev/files, office/papers (open_toolbox)."))
		Expect(server.Starts()).To(Equal(0))
		w.Open("dev")
		Expect(strings.Split(find(w, "read spreadsheets"), "\n")).To(Equal([]string{
			line, "toolbox office — Spreadsheets and letters (its tools are not all known until it is opened)",
			"use_tool calls a tool as it is; open_toolbox shows whole definitions.",
			"Not searched: office/papers (open_toolbox).",
		}))
	})

	It("names every word that no tool has, and finds what a misspelled one means", func() {
		w := Start(Launch{Config: finding(InDev(reading("files")))})
		w.Open("dev")

		Expect(find(w, "send gmail")).To(Equal("No tool was found. Other words may find one.\nNo tool has the words \"send\", \"gmail\"."))
		Expect(find(w, "raed")).To(Equal(line + "\nuse_tool calls a tool as it is; open_toolbox shows whole definitions.\nNo tool has the word \"raed\" (near: \"read\")."))
	})

	It("finds all tools that a search names, and no others before them", func() {
		var names []string
		var definitions []string
		for i := range 12 {
			names = append(names, fmt.Sprintf("read_part_%d", i))
			definitions = append(definitions, fmt.Sprintf(`{"name":"part_%d_read","description":"read_part read part %d"}`, i, i), fmt.Sprintf(`{"name":"read_part_%d"}`, i))
		}
		w := Start(Launch{Config: finding(InDev(Scripted("files", WithDefinitions(definitions...))))})
		w.Open("dev")

		lines := strings.Split(find(w, strings.Join(names, " ")), "\n")
		for i, name := range names {
			Expect(lines[i]).To(HavePrefix("dev/files/" + name + "~(…)"))
		}
		Expect(lines[12:]).To(Equal([]string{"use_tool calls a tool as it is; open_toolbox shows whole definitions.", "12 more of files match: open_toolbox dev"}))
	})

	It("names servers that are disabled or could not be started", func() {
		off := NewToolbox("off", Scripted("old", reader(), `"disabled":true`))
		w := Start(Launch{Config: finding(NewToolbox("dev", reading("files"), Program("broken", "false")), off)})
		w.Open("dev")

		Expect(find(w, "read")).To(HaveSuffix("\nNot searched: dev/broken (failed: open_toolbox), off/old (disabled: mcp-workbench enable)."))
	})

	It("answers searches of any length, of control characters and of mixed scripts", func() {
		w := Start(Launch{Config: finding(InDev(reading("files")))})
		w.Open("dev")

		var words []string
		for i := range 10_000 {
			words = append(words, fmt.Sprintf("nothing%d", i))
		}
		Expect(find(w, strings.Join(words, " "))).To(And(HavePrefix("No tool was found."), HaveSuffix("Only 64 words were searched.")))
		Expect(find(w, "read "+strings.Repeat("x", 15<<20))).To(And(HavePrefix(line), HaveSuffix("Only 64 words were searched.")))
		Expect(find(w, `\u0000\u0007\u202e`)).To(Equal("No tool was found. Other words may find one."))
		Expect(find(w, `читать read 文件 \u200bfile`)).To(And(HavePrefix(line), HaveSuffix(`No tool has the word "читать".`)))
	})

	It("finds tools of closed toolboxes as they were last listed, and a use opens their toolbox", func() {
		p := NewPinnedFiles(reader(), `"findTool":true`)
		p.Connect(Older).Open("dev")

		for _, era := range []Era{Older, Modern} {
			h := p.Connect(era)
			Expect(h.Call("find_tool", `{"query":"reading"}`).Text()).To(HavePrefix(line))
			Expect(h.Use("dev", "files", "read_file", `{"path":"a"}`).Text()).To(Equal("what was read"))
		}
	})

	It("finds tools in the lock, but none that it blocks or that a filter leaves out", func() {
		p := NewPinnedFiles(WithDefinitions(DescribedTool("read_file", "Reads a file."), DescribedTool("write_file", "Writes a file.")))
		Expect(p.Run("lock").Code).To(Equal(0))
		p.ServerIs(WithDefinitions(DescribedTool("read_file", "Reads a file and sends it."), DescribedTool("write_file", "Writes a file.")))
		p.Configure(`"pinning":"block"`, `"findTool":true`)
		h := p.Connect(Older)

		find := func() string { return h.Call("find_tool", `{"query":"file"}`).Text() }
		Expect(find()).To(And(ContainSubstring("read_file() — Reads a file."), ContainSubstring("write_file()")))
		h.Open("dev")
		Expect(find()).To(And(Not(ContainSubstring("read_file")), ContainSubstring("write_file()")))

		WriteFile(p.Config, strings.Replace(text(p.Config), `"args":`, `"toolFilters":["*","!write_file"],"args":`, 1))
		Expect(p.Connect(Older).Call("find_tool", `{"query":"file"}`).Text()).To(And(ContainSubstring("read_file"), Not(ContainSubstring("write_file"))))
	})

	It("answers with at most eight lines and what to do next, the same each time", func() {
		var definitions []string
		for i := range 5000 {
			definitions = append(definitions, fmt.Sprintf(`{"name":"search_%d","description":"%s"}`, i, strings.Repeat("search ", 20)))
		}
		w := Start(Launch{Config: finding(InDev(Scripted("files", WithDefinitions(definitions...))))})
		w.Open("dev")

		answer := find(w, "search")
		Expect(strings.Split(answer, "\n")).To(HaveLen(10))
		Expect(answer).To(HaveSuffix("\n4992 more of files match: open_toolbox dev"))
		Expect(answer).To(HavePrefix("dev/files/search_0~(…) — search "))
		Expect(find(w, "search")).To(Equal(answer))
	})

	DescribeTable("refuses wrong arguments", func(arguments, problem string) {
		w := Start(Launch{Config: finding(InDev(reading("files")))})
		Expect(w.Call("find_tool", arguments).Failure()).To(ContainSubstring(problem))
	},
		Entry("without a query", `{}`, "query is missing"), Entry("with an empty one", `{"query":""}`, "query cannot be empty"),
		Entry("with a number", `{"query":1}`, "query must be a string"), Entry("with another argument", `{"query":"a","limit":1}`, "limit"),
	)

	It("is followed by a use that teaches the tool when its arguments are wrong", func() {
		server := reading("files")
		w := Start(Launch{Config: finding(InDev(server))})
		use := func() Message { return w.Call("use_tool", UseArguments("dev", "files", "read_file", `{}`)) }

		Expect(use().Failure()).To(And(HavePrefix("Invalid arguments for tool 'read_file'"), ContainSubstring("path"), ContainSubstring(`"required":["path"]`)))
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
		Expect(use().Text()).To(Equal("what was read"), "since the host has seen the definition")
	})

	It("is listed in both modes, as a tool that only reads", func() {
		for _, mode := range []string{"proxy", "dynamic"} {
			w := Start(Launch{Config: finding(InDev(reading("files"))), Env: []string{"WORKBENCH_TOOL_MODE=" + mode}})
			h := Connect(w, false, "{}")
			tools := h.Tools()
			Expect(h.ToolNames()).To(ContainElement("find_tool"))
			Expect(string(tools[len(tools)-1])).To(And(ContainSubstring(`"find_tool"`), ContainSubstring(`"readOnlyHint":true`)))
		}
	})

	It("does not exist unless it is configured", func() {
		w := Serve(InDev(reading("files")))

		Expect(Host{Workbench: w}.ToolNames()).To(Equal([]string{"open_toolbox", "use_tool"}))
		Expect(w.Request("tools/call", `{"name":"find_tool","arguments":{"query":"file"}}`).Code()).To(Equal(-32602))
	})
})
