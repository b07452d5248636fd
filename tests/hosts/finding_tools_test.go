package hosts_test

import (
	"fmt"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// A model finds the tool of a published server by words and calls it with the found name, in the toolbox that
// its host chose. The configuration adjusts the tool.
var _ = Describe("A tool that is found by words", func() {
	find := func(words string) model.Call {
		return model.Call{Tool: "find_tool", Arguments: `{"query":` + quote(words) + `}`}
	}
	read := func(arguments string) model.Call {
		return model.Call{Tool: "use_tool", Arguments: `{"tool":{"toolbox":"files","server":"files","tool":"read_text_file"},"arguments":` + arguments + `}`}
	}
	calls := func() []model.Call {
		return []model.Call{find("read the notes"), read(`{"head":"all"}`), read(`{"path":"/etc/passwd"}`), find("echo in the memory")}
	}
	configured := func() account {
		GinkgoHelper()
		server := packageFile(filesystemServer)
		if _, err := os.Stat(server); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_HOSTS") == "1" {
				Fail(err.Error())
			}
			Skip("the server is not installed, see make npm: " + err.Error())
		}
		d := newAccount("")
		Expect(scripted.Save(d.path("script.json"))).To(Succeed())
		d.write("work/notes.txt", "Milk and bread")
		d.write("workbench-config.json", fmt.Sprintf(`{"findTool":true,"toolboxes":{
			"files":{"description":"Files","mcpServers":{"files":{"command":"node","args":[%s,%s],
				"tools":{"read_text_file":{"description":"Reads the notes of the team.","fixed":{"path":%s},"hidden":["tail"]}}}}},
			"memory":{"description":"Memory","mcpServers":{"scripted":{"command":%s,"args":["-script",%s]}}}}}`,
			quote(server), quote(d.path("work")), quote(d.path("work/notes.txt")), quote(programs.ScriptedServer), quote(d.path("script.json"))))
		return d
	}
	listTools := func(ctx SpecContext, d account) {
		GinkgoHelper()
		for _, toolbox := range []string{"files", "memory"} {
			d.run(ctx, programs.Workbench, []string{"list", toolbox, "--config", d.path("workbench-config.json")})
		}
	}
	expectCalled := func(c conversation) {
		GinkgoHelper()
		Expect(c.results).To(HaveLen(4))
		Expect(c.results[0]).To(ContainSubstring("files/files/read_text_file(head?: number) — Reads the notes of the team."))
		Expect(c.results[1]).To(And(ContainSubstring("Invalid arguments for tool"), ContainSubstring("head"), Not(ContainSubstring("tail"))))
		Expect(c.results[2]).To(ContainSubstring("Milk and bread"))
		Expect(c.results[3]).NotTo(ContainSubstring("memory/"))
	}

	DescribeTable("is called in the toolbox that serve --toolbox names", func(ctx SpecContext, h host) {
		d := configured()
		listTools(ctx, d)
		d.workbench = d.path("mcp-workbench")
		d.write("mcp-workbench", "#!/bin/sh\nexec '"+programs.Workbench+"' \"$@\" --toolbox files\n")
		Expect(os.Chmod(d.workbench, 0o700)).To(Succeed())

		expectCalled(h.converse(ctx, d, calls()))

		Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
	},
		Entry("Claude Code", claudeCode),
		Entry("Codex", codex),
		Entry("Gemini CLI", geminiCLI),
		Entry("opencode", openCode),
	)

	DescribeTable("is called in the toolbox that the address names", func(ctx SpecContext, h host) {
		d, _ := configured().listening()
		listTools(ctx, d)
		d.url += "/files"

		expectCalled(h.converse(ctx, d, calls()))
	},
		Entry("Claude Code", claudeCode),
		Entry("Codex", codex),
	)
})
