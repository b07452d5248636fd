package hosts_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Servers of two hosts", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(".claude.json", `{"mcpServers": {
			"memory": {"command": "npx", "args": ["-y", "server-memory"], "env": {"MEMORY_FILE_PATH": "/a.json", "API_TOKEN": "secret-of-memory"}},
			"everything": {"command": "npx", "args": ["-y", "server-everything"], "env": {"GITHUB_TOKEN": "secret-of-everything"}},
			"web": {"type": "http", "url": "https://a.example.com/mcp", "headers": {"Authorization": "Bearer secret-of-claude"}},
			"github": {"command": "github-mcp", "env": {"GITHUB_TOKEN": "secret-of-one"}},
			"time": {"command": "uvx", "args": ["mcp-server-time"]}
		}}`)
		home.File(".gemini/settings.json", `{"mcpServers": {
			"mem2": {"command": "npx", "args": ["-y", "server-memory"]},
			"web": {"httpUrl": "https://a.example.com/mcp", "headers": {"Authorization": "Bearer secret-of-gemini"}},
			"github": {"command": "github-mcp", "env": {"GITHUB_TOKEN": "secret-of-another"}},
			"clock": {"command": "uvx", "args": ["mcp-server-time"]}
		}}`)
		home.File(".codex/config.toml", "[mcp_servers.everything2]\ncommand = \"npx\"\nargs = [\"-y\", \"server-everything\"]\n")
	})

	It("stay separate unless all their settings are the same, and each host keeps its accounts", func() {
		outcome := home.Run("init", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		text := home.Content(OwnConfiguration)
		for _, name := range []string{"memory", "mem2", "everything", "everything2", "web", "web-2", "github", "github-2", "time"} {
			Expect(text).To(ContainSubstring(`"` + name + `": {`))
		}
		for _, secret := range []string{"memory", "everything", "claude", "gemini", "one", "another"} {
			Expect(text).To(ContainSubstring("secret-of-" + secret))
		}
		Expect(text).NotTo(ContainSubstring(`"clock"`))
		Expect(outcome.Stdout).To(ContainSubstring(`not imported: "clock" of ` + home.Path(".gemini/settings.json") +
			`: it is the same as "time" in ` + home.Path(".claude.json")))

		connected := home.Run("connect", "--all", "--replace", "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(home.Content(".gemini/settings.json")).NotTo(ContainSubstring("mcp-server-time"), "the same server under another name")
		Expect(home.Examined()).NotTo(ContainElement(HaveField("Code", "D015")))
		again := home.Run("import", "--yes")
		Expect(again.Stdout).To(ContainSubstring("nothing to import"))
	})

	It("are named in the picker's report if they are not imported", func() {
		outcome := RunInTerminal(
			home.Launch("init", "--color", "never"),
			Turn{Until: "Which servers go into toolboxes?", Type: "\r"},
			noBackground,
			Turn{Until: "[Y/n] ", Type: "n\r"},
		)

		Expect(outcome.Stdout).To(ContainSubstring(`not imported: "clock" of `))
	})
})
