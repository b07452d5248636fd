package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that forges lines of the workbench", Label("TE05"), func() {
	BeforeEach(NeedsTerminal)
	const forged = "forged: all is well"
	const text = "no\n" + forged + "\r\n" + forged + "\r" + forged

	failing := func(method string) script.Script {
		GinkgoHelper()
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: method, Do: []script.Step{{Error: `{"code":-32000,"message":` + jsonText(text) + `}`}}}}
		return s
	}
	named := script.Script{Tools: []string{`{"name":` + jsonText(text) + `,"description":` + jsonText(text) + `,"inputSchema":{"type":"object"}}`}}
	asked := `{"message":` + jsonText(text) + `,"requestedSchema":{"type":"object","properties":{` + jsonText(text) + `:{"type":"string","enum":[` +
		jsonText(text) + `],"enumNames":[` + jsonText(text) + `],"description":` + jsonText(text) + `}}}}`

	DescribeTable("does not succeed", func(s script.Script, args ...string) {
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("files", s))), Args: args}, 2000, nil)
		terminal.End()

		Expect(terminal.Shown()).To(ContainSubstring("forged"))
		for line := range strings.Lines(terminal.Shown()) {
			Expect(strings.TrimSpace(stripped.Replace(line))).NotTo(HavePrefix("forged"), terminal.Shown())
		}
	},
		Entry("by its handshake, in list", failing("initialize"), "list", "dev"),
		Entry("by its handshake, in doctor", failing("initialize"), "doctor"),
		Entry("by its handshake, in the log", failing("initialize"), "list", "dev", "--log-level", "debug"),
		Entry("by its list, in list", failing("tools/list"), "list", "dev"),
		Entry("by the error of a call", failing("tools/call"), "call", "dev/files/read"),
		Entry("by names, in list", named, "list", "dev"),
	)

	It("does not succeed in its questions", func() {
		terminal := OnTerminal(Launch{
			Config: Configuration(InDev(Older.Server(Asking("elicitation/create", asked)))), Args: []string{"call", "dev/files/ask"},
		}, 2000, nil)
		terminal.Take(Turn{Until: "optional): ", Type: "!decline\r"})
		terminal.End()

		for line := range strings.Lines(terminal.Shown()) {
			Expect(line).NotTo(HavePrefix("forged"), terminal.Shown())
		}
	})
})
