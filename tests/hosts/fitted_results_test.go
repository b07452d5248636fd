package hosts_test

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/hosts/model"
)

// filesystemServer is a published server, which make npm installs.
const filesystemServer = "../../../npm/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"

// A model reads a file of 120 KB through a host that cuts results at 40 KB or earlier: the call shows the
// beginning, and read_result the rest in parts.
var _ = Describe("A long result that is fitted", func() {
	const (
		lines = 4000
		part  = 30_000 // characters, less than any of these hosts passes on
	)
	line := func(number int) string { return fmt.Sprintf("entry %05d of the long file\n", number) }

	DescribeTable("can be read whole", func(ctx SpecContext, h host) {
		server := packageFile(filesystemServer)
		if _, err := os.Stat(server); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_HOSTS") == "1" {
				Fail(err.Error())
			}
			Skip("the server is not installed, see make npm: " + err.Error())
		}
		d := newAccount("")
		var text strings.Builder
		for number := range lines {
			text.WriteString(line(number))
		}
		d.write("work/long.txt", text.String())
		d.write("workbench-config.json", fmt.Sprintf(
			`{"toolboxes":{"files":{"description":"Files","results":"fit","mcpServers":{"files":{"command":"node","args":[%s,%s]}}}}}`,
			quote(server), quote(d.path("work"))))
		calls := []model.Call{open("files"), {Tool: "use_tool", Arguments: fmt.Sprintf(
			`{"tool":{"toolbox":"files","server":"files","tool":"read_text_file"},"arguments":{"path":%s}}`, quote(d.path("work/long.txt")))}}
		for from := 0; from < text.Len(); from += part {
			calls = append(calls, model.Call{Tool: "read_result", Arguments: fmt.Sprintf(`{"id":"r1","from":%d}`, from)})
		}
		calls = append(calls, model.Call{Tool: "read_result", Arguments: `{"id":"r1","grep":"entry 02345 "}`})

		c := h.converse(ctx, d, calls)

		Expect(c.results).To(HaveLen(len(calls)))
		// A host may escape line ends.
		Expect(c.results[1]).To(And(ContainSubstring(strings.TrimSpace(line(0))), ContainSubstring(`read_result`), ContainSubstring("r1")))
		shown := strings.Join(c.results[2:len(calls)-1], "\n")
		for number := range lines {
			Expect(shown).To(ContainSubstring(strings.TrimSpace(line(number))))
		}
		Expect(c.results[len(calls)-1]).To(And(ContainSubstring("entry 02345 of"), Not(ContainSubstring("entry 02400"))))
		Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
	},
		Entry("Codex", codex),
		Entry("Gemini CLI", geminiCLI),
		Entry("opencode", openCode),
	)
})

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
