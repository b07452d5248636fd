package shell_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The output of commands", func() {
	const red, green, yellow, normal = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"

	DescribeTable("has colours only in a terminal and with --color always", func(config, command, painted string) {
		run := func(flags ...string) string {
			GinkgoHelper()
			return Run(Launch{Config: config, Args: append([]string{command}, flags...)}).Stdout
		}
		Expect(run("--color", "always")).To(ContainSubstring(painted))
		Expect(run()).NotTo(ContainSubstring("\x1b["))
	},
		Entry("for a valid configuration", `{"toolboxes":{}}`, "validate", ": "+green+"ok"+normal),
		Entry("for a warning",
			`{"toolboxes":{"d":{"mcpServers":{"s":{"command":"/c","timeout":1}}}}}`, "validate", yellow+"warning:"+normal),
		Entry("for a mistake", `{"toolboxes":1}`, "validate", red),
		Entry("for a finding", `{"toolboxes":{"d":{"mcpServers":{"s":{"command":"no-such"}}}}}`, "doctor", yellow+"D003"+normal),
		Entry("for no problems", `{"toolboxes":{}}`, "doctor", green+"no problems found"+normal+" ("),
	)
})

var _ = Describe("lock --json", func() {
	It("prints the differences and the costs of opening toolboxes as one object", func() {
		p := NewPinnedFiles(WithDefinitions(DescribedTool("read", "Read.")))
		locked := p.Run("lock", "--json")
		Expect(locked.Code).To(Equal(0))
		var result map[string]any
		Expect(json.Unmarshal([]byte(locked.Stdout), &result)).To(Succeed())
		Expect(result).To(And(HaveKeyWithValue("file", p.Lock), HaveKeyWithValue("written", true), HaveKeyWithValue("tools", 1.0)))
		Expect(result["opening"]).To(HaveExactElements(And(HaveKeyWithValue("toolbox", "dev"), HaveKey("bytes"), HaveKey("tokens"))))

		p.ServerIs(WithDefinitions(DescribedTool("read", "Write."), DescribedTool("more", "More.")))
		checked := p.Run("lock", "--check", "--json")

		Expect(checked.Code).To(Equal(1))
		Expect(checked.Stdout).To(ContainSubstring(`"written":false,"fits":false,"tools":2,"differences":[` +
			`{"toolbox":"dev","server":"files","tool":"more","kind":"added"},{"toolbox":"dev","server":"files","tool":"read","kind":"changed"}]`))
		Expect(p.Locked()).NotTo(ContainSubstring("More."))
	})

	It("names servers that cannot be reached, and a lock that cannot be used", func() {
		p := NewPinnedFiles(script.Script{Start: []script.Step{{Exit: 3}}})
		WriteFile(p.Lock, "{")

		outcome := p.Run("lock", "--check", "--json")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(And(ContainSubstring(`"error":"`), MatchRegexp(`"unreachable":\[\{"toolbox":"dev","server":"files","error":".*exit code 3`)))
	})
})
