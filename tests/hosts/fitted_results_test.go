package hosts_test

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
