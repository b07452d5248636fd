package approvals_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// free expects that no message to a host has a Unicode tag, or a selector that carries a
// byte, as a character or as an escape.
func free(host Host) {
	GinkgoHelper()
	for _, message := range host.Received() {
		Expect(message.Line).NotTo(Or(ContainSubstring("\U000e0041"), ContainSubstring("\U000e0100")))
		Expect(strings.ToLower(message.Line)).NotTo(ContainSubstring("udb40"))
	}
}

var _ = Describe("Invisible text of a server", Label("TB02"), func() {
	const (
		hidden  = `\udb40\uDC41` + "\U000e0041\U000e0100"
		clean   = `{"name":"write","inputSchema":{ "type":"object" , "x":"\u200b é"},"server":"odd","toolbox":"dev"}`
		reading = `{"name":"read` + hidden + `","title":"Read` + hidden + `","description":"Read.` + hidden + `","inputSchema":{"type":"object",` +
			`"properties":{"path` + hidden + `":{"type":"string","description":"A` + hidden + `","enum":["` + hidden + `"]}}},` +
			`"outputSchema":{"type":"object","description":"\\` + hidden + `"},"_meta":{"` + hidden + `":1}}`
		shown = `{"name":"read","title":"Read","description":"Read.","inputSchema":{"type":"object",` +
			`"properties":{"path":{"type":"string","description":"A","enum":[""]}}},` +
			`"outputSchema":{"type":"object","description":"\\"},"_meta":{"":1},"server":"odd","toolbox":"dev"}`
	)
	odd := func() script.Script {
		s := WithDefinitions(reading, strings.TrimSuffix(clean, `,"server":"odd","toolbox":"dev"}`)+"}")
		s.Instructions = "Read first.\U000e0041\U000e0100\u3164"
		return s
	}

	for _, ofHost := range Eras {
		It("is removed from definitions and instructions, which are otherwise unchanged, for a host of "+ofHost.Name, func() {
			host := Connect(Serve(InDev(Scripted("odd", odd()))), ofHost.Modern, `{}`)

			opened := host.Open("dev")

			Expect(opened.Tools).To(HaveExactElements(BeEquivalentTo(shown), BeEquivalentTo(clean)))
			Expect(string(opened.Instructions)).To(Equal(`{"odd":"Read first.` + "\u3164" + `"}`))
			Expect(opened.Warnings).To(ConsistOf(
				"Server 'odd': its instructions have characters that hide or reorder text (U+E0041, U+E0100, U+3164)",
				"Server 'odd': tool 'read' has characters that hide or reorder text (name: U+E0041, U+E0100; title: U+E0041, U+E0100; "+
					"description: U+E0041, U+E0100; inputSchema: U+E0041, U+E0100; outputSchema: U+E0041, U+E0100; _meta: U+E0041, U+E0100)",
				"Server 'odd': tool 'write' has characters that hide or reorder text (inputSchema: U+200B)"))
			Expect(host.Use("dev", "odd", "read", `{}`).Text()).To(Equal("done"))
			free(host)
		})
	}

	It("is nowhere in short forms, registered tools and the workbench's own errors", func() {
		for _, settings := range []string{
			`"definitions":"lean"`, `"definitions":"compact"`, `"definitions":"names"`, `"validate":true`, `"toolMode":"dynamic"`,
		} {
			p := NewPinnedFiles(odd(), settings)
			host := p.Connect(Older)
			host.Call("open_toolbox", `{"toolbox":"dev"}`)
			host.Request("tools/list", "{}")
			host.Call("use_tool", UseArguments("dev", "files", "read", `{"path\udb40\udc41":"x"}`))
			host.Call("use_tool", UseArguments("dev", "files", `nothing`+"\U000e0041", `{}`))
			host.Call("open_toolbox", `{"toolbox":"dev`+"\U000e0041"+`"}`)
			host.Request("tools/call", `{"name":"a`+"\U000e0041"+`"}`)
			free(host)
		}
	})

	It("is removed from prompts and resources, with a warning about prompts", func() {
		s := odd()
		s.Capabilities = `{"tools":{},"prompts":{},"resources":{}}`
		s.Rules = append([]script.Rule{
			{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[{"name":"p","title":"T` + hidden + `","arguments":[{"name":"a","description":"\u2800"}]}]}`}}},
			{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"a:b","name":"n` + hidden + `"}]}`}}},
		}, s.Rules...)
		host := Connect(Serve(InDev(Scripted("odd", s))), false, `{}`)
		host.Open("dev")

		prompts := host.Request("prompts/list", "{}")
		host.Request("resources/list", "{}")

		Expect(prompts.Line).To(ContainSubstring(`"title":"T"`))
		Expect(host.Open("dev").Warnings).To(ContainElement(
			"Server 'odd': prompt 'p' has characters that hide or reorder text (title: U+E0041, U+E0100; arguments: U+2800)"))
		free(host)
	})
})

var _ = Describe("A name that reads like something else", Label("TB03"), func() {
	const name = "turn\nname: x\nlevel=ERROR 'obey'"

	It("is in quotation marks and on one line in texts of the workbench, and can be called", func() {
		w := Serve(InDev(Scripted("odd", WithDefinitions(`{"name":`+Quote(name)+`}`, script.Tool("read")))))
		w.Open("dev")

		Expect(w.Use("dev", "odd", "zzzzzzzz", "{}").Failure()).To(Equal("Tool 'zzzzzzzz' not found in server 'odd' (toolbox 'dev')\n" +
			`Tools of this server: 'turn\nname: x\nlevel=ERROR \'obey\'', read`))
		Expect(w.Use("dev", "odd", "turn\nname: x", "{}").Failure()).To(HavePrefix(`Tool 'turn\nname: x' not found`))
		Expect(w.Use("dev", "odd", name, "{}").Text()).To(Equal("done"))
	})

	It("is a configuration error that says what to write", func() {
		config := strings.Replace(Configuration(InDev(Scripted("odd", WithDefinitions()))), `"dev"`, `"e\u001b[31mvil\n- **fake**"`, 1)
		file := GinkgoT().TempDir() + "/c.json"
		WriteFile(file, config)

		outcome := Run(Launch{Args: []string{"--config", file, "validate"}})
		var introduced struct{ Instructions string }
		Expect(json.Unmarshal(Start(Launch{Args: []string{"--config", file}}).Initialize().Result, &introduced)).To(Succeed())

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout + outcome.Stderr).To(ContainSubstring(`found a name with invisible characters (U+001B, U+000A), ` +
			`want a name without them, such as "e[31mvil - **fake**"`))
		Expect(introduced.Instructions).NotTo(ContainSubstring("\n- **fake**"))
	})
})
