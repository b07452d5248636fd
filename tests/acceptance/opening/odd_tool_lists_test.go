package opening_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Opening a toolbox with an odd list of tools", func() {
	open := func(s script.Script, settings ...string) (Opened, *Workbench) {
		GinkgoHelper()
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Do: []script.Step{{Result: `{"content":[],"name":${name}}`}}})
		w := Serve(InDev(Scripted("odd", s, settings...)))
		return w.Open("dev"), w
	}

	It("ends a list at the size of one message, over all its pages, and says so", Label("TO03"), func() {
		long := strings.Repeat("x", 20_000)
		page := script.Rule{Method: "tools/list", Do: []script.Step{{
			Result: `{"tools":[{"name":"a${call}","description":"` + long + `"},{"name":"b${call}"}],"nextCursor":"${call}"}`,
		}}}
		endless := func(method, member, key string) script.Rule {
			return script.Rule{Method: method, Do: []script.Step{{
				Result: `{"` + member + `":[{"name":"${call}","` + key + `":"u:${call}","description":"` + long + `"}],"nextCursor":"${call}"}`,
			}}}
		}
		s := script.Script{Capabilities: `{"tools":{},"resources":{},"prompts":{}}`, Rules: []script.Rule{
			page, endless("resources/list", "resources", "uri"), endless("resources/templates/list", "resourceTemplates", "uriTemplate"),
			endless("prompts/list", "prompts", "title"),
		}}

		opened, w := open(s, `"limits": {"messageSize": "64KiB"}`)

		Expect(opened.Names()).To(Equal([]string{"a1", "b1", "a2", "b2", "a3", "b3"}))
		Expect(opened.Warnings).To(Equal([]string{"Server 'odd': the tool list was cut at 65536 bytes (limits.messageSize raises it)"}))
		for _, method := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
			Expect(strings.Count(string(w.Request(method, `{}`).Result), long)).To(Equal(3), method)
		}
		Eventually(func() int { return strings.Count(w.Stderr(), "65536 bytes (limits.messageSize raises it)") }).WithTimeout(Patience).Should(Equal(3))
	})

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

	It("warns about characters that reorder or hide text, and shows them", Label("X04"), func() {
		definition := `{"name":"t","description":"safe \u202etxet\u200b"}`

		opened, _ := open(script.Script{Tools: []string{definition}})

		Expect(string(opened.Tools[0])).To(Equal(Shown(definition, "odd", "dev")))
		Expect(opened.Warnings).To(Equal([]string{
			"Server 'odd': tool 't' has characters that hide or reorder text (description: U+202E, U+200B)",
		}))
	})
})
