package hosts_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// maxTokensAtStart is how much the instructions and the two tools can take of a model's
// context with seven toolboxes, four and a half bytes to a token.
const maxTokensAtStart = 800

var _ = Describe("Telling each host as much as it passes on", func() {
	toolboxes := func(count int, description string) string {
		var toolboxes []Toolbox
		for i := range count {
			toolboxes = append(toolboxes, Toolbox{
				Name: fmt.Sprintf("toolbox-%03d", i), Description: description,
				Servers: []Server{Program("one", "/nowhere/at-all")},
			})
		}
		return Configuration(toolboxes...)
	}
	// instructed returns the instructions that a host with a name gets, in both eras.
	instructed := func(config, host string) string {
		GinkgoHelper()
		w := Start(Launch{Config: config})
		info := `{"name":` + Quote(host) + `,"version":"1"}`
		var old, modern struct{ Instructions string }
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":`+info+`}`).Decode(&old)
		w = Start(Launch{Config: config})
		w.Request("server/discover", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":`+info+`}}`).Decode(&modern)
		Expect(modern.Instructions).To(Equal(old.Instructions))
		return old.Instructions
	}

	It("gives an unknown host the listing with up to 16,000 characters", func() {
		listing := instructed(toolboxes(50, strings.Repeat("long ", 40)), "some-host")

		Expect(listing).To(HavePrefix("## Available Toolboxes\n\n- **toolbox-000** (1 server): long "))
		Expect(len(listing)).To(BeNumerically(">", 14_000))
	})

	It("gives it the names of the toolboxes if the listing would be longer, since the schema of open_toolbox has all of them", func() {
		listing := instructed(toolboxes(100, strings.Repeat("long ", 40)), "some-host")

		Expect(len(listing)).To(BeNumerically("<=", 2000))
		Expect(listing).To(And(HavePrefix("Toolboxes: toolbox-000, toolbox-001, "), ContainSubstring("toolbox-099")))
	})

	It("begins with all toolboxes in one line for a host that passes one line", func() {
		config := toolboxes(2, "What it is for")

		Expect(instructed(config, "codex-mcp-client")).To(Equal("Toolboxes: toolbox-000 (What it is for), toolbox-001 (What it is for). " +
			"Open one with open_toolbox.\n\n" + instructed(config, "some-host")))
	})

	DescribeTable("keeps that line within 250 characters, names before descriptions",
		func(count int, want string) {
			line, _, _ := strings.Cut(instructed(toolboxes(count, "What this one is for, in\nmany words"), "codex-mcp-client"), "\n")

			Expect(line).To(And(HavePrefix("Toolboxes: toolbox-000"), HaveSuffix(" Open one with open_toolbox.")))
			Expect(line).To(MatchRegexp(want))
			Expect(len([]rune(line))).To(BeNumerically("<=", 250))
		},
		Entry("whole descriptions", 4, `^Toolboxes: (toolbox-\d{3} \(What this one is for, in many words\)[,.] ){4}Open`),
		Entry("shorter descriptions", 7, `^Toolboxes: (toolbox-\d{3} \(What this[^)]*…\)[,.] ){7}Open`),
		Entry("names", 12, `^Toolboxes: (toolbox-\d{3}[,.] ){12}Open`),
		Entry("as many names as fit", 40, `^Toolboxes: (toolbox-\d{3}, ){15}and 25 more. Open`),
	)

	It("gives a host that cuts at 2,048 characters the listing if it fits", func() {
		config := toolboxes(5, "What it is for")

		Expect(instructed(config, "claude-code")).To(Equal(instructed(config, "some-host")))
	})

	It("shortens descriptions for that host, never names", func() {
		listing := instructed(toolboxes(40, strings.Repeat("What can be done. ", 6)), "claude-code")

		Expect(len([]rune(listing))).To(BeNumerically("<=", 2000))
		for i := range 40 {
			Expect(listing).To(MatchRegexp(`(?m)^- \*\*toolbox-%03d\*\* \(1\): What can.*…$`, i))
		}
	})

	It("puts names first for that host if nothing else fits", func() {
		listing := instructed(toolboxes(120, "What it is for"), "claude-code")

		Expect(len([]rune(listing))).To(BeNumerically("<=", 2000))
		Expect(listing).To(HavePrefix("Toolboxes: toolbox-000, toolbox-001, "))
		Expect(listing).To(ContainSubstring("toolbox-119"))
	})

	It("names every toolbox in the schema of open_toolbox, which hosts pass on whole", func() {
		var result struct {
			Tools []struct {
				Description string
				InputSchema struct {
					Properties struct {
						Toolbox struct {
							Type, Description string
							MinLength         int
							Enum              []string
						}
					}
				}
			}
		}
		w := Start(Launch{Config: toolboxes(200, "What it is for")})
		w.Request("tools/list", "{}").Decode(&result)

		schema := result.Tools[0].InputSchema.Properties.Toolbox
		Expect(schema.Type).To(Equal("string"))
		Expect(schema.MinLength).To(Equal(1))
		Expect(schema.Enum).To(HaveLen(200))
		Expect(schema.Enum[199]).To(Equal("toolbox-199"))
		Expect(schema.Description).To(HavePrefix("Name of the toolbox to open:\n- toolbox-000: What it is for\n- toolbox-001: "))
		Expect(schema.Description).To(HaveSuffix("\n- toolbox-199: What it is for"))
		Expect(result.Tools[0].Description).To(ContainSubstring("\n\nToolboxes: toolbox-000, toolbox-001, "))
		Expect(result.Tools[0].Description).To(MatchRegexp(` and \d+ more, which the schema names$`))
		Expect(len(result.Tools[0].Description)).To(BeNumerically("<=", 1024))
	})

	DescribeTable("warns a host about an answer that is longer than it passes on", func(host, limit string, tools int) {
		big := WithTools()
		for i := range tools {
			big.Tools = append(big.Tools, fmt.Sprintf(`{"name":"tool-%d","description":%q,"inputSchema":{"type":"object"}}`, i, strings.Repeat("x", 1000)))
		}
		w := Start(Launch{Config: Configuration(InDev(Scripted("files", big)))})
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":`+Quote(host)+`,"version":"1"}}`)

		opened := w.Open("dev")

		Expect(opened.Tools).To(HaveLen(tools))
		if limit == "" {
			Expect(opened.Warnings).To(BeEmpty())
			return
		}
		Expect(opened.Warnings).To(ConsistOf(And(MatchRegexp(`^this answer has \d+ KB, and .* passes on no more than `+limit),
			ContainSubstring(`"toolFilters"`))))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("the host may cut the answer of open_toolbox"))
	},
		Entry(nil, "opencode", "50 KB of a result", 60),
		Entry(nil, "gemini-cli-mcp-client", "40,000 characters of a result", 40),
		Entry(nil, "codex-mcp-client", "10,000 tokens of a result", 40),
		Entry(nil, "copilot-cli", "20 KB of a result", 20),
		Entry(nil, "qwen-cli-mcp-client-workbench", "28,000 characters of a result", 28),
		Entry(nil, "kimi-code", "100,000 characters of a result", 100),
		Entry("but not if it passes on the answer", "opencode", "", 40),
		Entry("but not a host that passes on any answer", "some-host", "", 60),
	)

	It("has no enum when there are no toolboxes", func() {
		Expect(string(Start(Launch{Config: `{"toolboxes":{}}`}).Request("tools/list", "{}").Line)).NotTo(ContainSubstring("enum"))
	})

	It("takes little of a model's context with seven toolboxes", func() {
		config := toolboxes(7, "What can be done with what is in there")
		var result struct{ Tools []json.RawMessage }
		Start(Launch{Config: config}).Request("tools/list", "{}").Decode(&result)
		tools, err := json.Marshal(result.Tools)
		Expect(err).NotTo(HaveOccurred())

		for _, host := range []string{"some-host", "claude-code", "codex-mcp-client"} {
			size := len(instructed(config, host)) + len(tools)
			Expect(float64(size)/4.5).To(BeNumerically("<", maxTokensAtStart), "%s: %d bytes", host, size)
		}
	})
})
