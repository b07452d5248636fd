package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/hosts/model"
)

var _ = Describe("A long result", func() {
	DescribeTable("reaches the model whole up to the limit of the host", func(ctx SpecContext, h host, whole, cut int) {
		d := accountWith(seven)
		s := scripted
		s.Tools, s.Rules = nil, nil
		calls := []model.Call{open("memory")}
		for name, size := range map[string]int{"fits": whole, "exceeds": cut} {
			text := strings.Repeat("one line of a long result\n", size/26+1)
			s.Tools = append(s.Tools, script.Tool(name))
			s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: name, Do: []script.Step{{Result: script.Text(text[:size-4] + "END.")}}})
		}
		Expect(s.Save(d.path("script.json"))).To(Succeed())

		c := h.converse(ctx, d, append(calls, use("memory", "fits"), use("memory", "exceeds")))

		Expect(c.results).To(HaveLen(3))
		Expect(c.results[1]).To(ContainSubstring("END."))
		Expect(len(c.results[1])).To(BeNumerically(">=", whole))
		if cut == whole {
			Expect(c.results[2]).To(ContainSubstring("END."))
		} else {
			Expect(c.results[2]).NotTo(ContainSubstring("END."))
		}
	},
		Entry("GitHub Copilot CLI", copilot, 20_400, 20_500),
		Entry("Qwen Code", qwenCode, 27_900, 28_100),
		Entry("Continue, which cuts none of these", continueCLI, 100_000, 100_000),
	)
})
