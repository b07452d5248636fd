package hosts_test

import (
	"os"
	"runtime"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Connecting hosts to a workbench at an address", func() {
	const address = "https://mcp.example.com/mcp"
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	DescribeTable("writes the host's own form with the variable of the token, and disconnecting restores the bytes", func(host, name, text string, lines ...string) {
		home.File(name, text)

		connected := home.Run("connect", host, "--url", address, "--token-env", "TEAM_TOKEN", "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		for _, line := range lines {
			Expect(home.Content(name)).To(ContainSubstring(line))
		}
		Expect(connected.Stdout).To(ContainSubstring("not set here: TEAM_TOKEN"))

		Expect(home.Run("connect", host, "--url", address, "--token-env", "TEAM_TOKEN", "--yes").Stdout).To(ContainSubstring("nothing to change"))
		moved := home.Run("connect", host, "--url", "http://127.0.0.1:7345/mcp", "--yes")
		Expect(moved.Code).To(Equal(0), moved.Stderr)
		Expect(home.Content(name)).To(And(ContainSubstring("http://127.0.0.1:7345/mcp"), Not(ContainSubstring("TEAM_TOKEN"))))

		disconnected := home.Run("disconnect", host, "--yes")
		Expect(disconnected.Code).To(Equal(0), disconnected.Stderr)
		Expect(home.Content(name)).To(Equal(text))
	},
		Entry("Claude Code", "claude-code", ".claude.json", `{"numStartups":3,"mcpServers":{},"projects":{}}`,
			`{"type":"http","url":"`+address+`","headers":{"Authorization":"Bearer ${TEAM_TOKEN}"}}`),
		Entry("Codex", "codex", ".codex/config.toml", "# mine\r\nmodel = \"x\"\r\n",
			"[mcp_servers.workbench]\r\n", `url = "`+address+`"`, `bearer_token_env_var = "TEAM_TOKEN"`),
	)

	It("needs no configuration, and writes no token", func() {
		home.File(".cursor/mcp.json", "{}")
		launch := home.Launch("connect", "cursor", "--url", address, "--token-env", "TEAM_TOKEN", "--yes")
		launch.Env = append(launch.Env, "TEAM_TOKEN=secret-of-the-team")

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout + home.Content(".cursor/mcp.json")).NotTo(ContainSubstring("secret-of"))
		Expect(outcome.Stdout).NotTo(ContainSubstring("note:"))
	})

	It("says which servers the host keeps beside those of the address", func() {
		home.File(".codex/config.toml", codexFile+"\n[mcp_servers.off]\ncommand = \"x\"\nenabled = false\n")
		stdout := home.Run("connect", "codex", "--url", address, "--yes").Stdout
		Expect(stdout).To(ContainSubstring(`Codex also starts its own servers, which stay: "git"`))
		Expect(stdout).NotTo(ContainSubstring(`"off"`))
	})

	It("asks in a terminal before it writes a token for a host without variables", func() {
		home.File(".lmstudio/mcp.json", "{}")
		launch := home.Launch("connect", "lmstudio", "--url", address, "--token-env", "TEAM_TOKEN")
		launch.Env = append(launch.Env, "TEAM_TOKEN=secret-of-the-team")

		unasked := launch
		unasked.Args = append(slices.Clone(launch.Args), "--yes")
		Expect(Run(unasked).Stdout).To(ContainSubstring("LM Studio reads no variables, so its requests have no token"))
		Expect(home.Content(".lmstudio/mcp.json")).To(And(ContainSubstring(address), Not(ContainSubstring("Authorization"))))

		Expect(os.Chmod(home.Path(".lmstudio/mcp.json"), 0o644)).To(Succeed())
		asked := RunInTerminal(launch, Turn{Until: "in plain text? [y/N] ", Type: "y\r"}, Turn{Until: "[y/N] ", Type: "y\r"})
		Expect(asked.Code).To(Equal(0), asked.Stdout)
		Expect(asked.Stdout).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(".lmstudio/mcp.json")).To(ContainSubstring(`"Authorization": "Bearer secret-of-the-team"`))
		if runtime.GOOS != "windows" {
			info, err := os.Stat(home.Path(".lmstudio/mcp.json"))
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)), "only its owner reads the token")
		}

		Expect(os.Chmod(home.Path(".lmstudio/mcp.json"), 0o644)).To(Succeed())
		again := Run(unasked)
		Expect(again.Stdout).To(ContainSubstring("nothing to change"), "the token that is there stays")
		if runtime.GOOS != "windows" {
			Expect(again.Stdout).To(ContainSubstring("others can read " + home.Path(".lmstudio/mcp.json")))
		}
		Expect(home.Run("connect", "lmstudio", "--url", "https://other.example.com/mcp", "--token-env", "OTHER_TOKEN", "--yes").Code).To(Equal(0))
		Expect(home.Content(".lmstudio/mcp.json")).To(And(ContainSubstring("other.example.com"), Not(ContainSubstring("secret-of"))), "it is for its own address")
		Expect(home.Run("disconnect", "lmstudio", "--yes").Code).To(Equal(0))
		Expect(home.Content(".lmstudio/mcp.json")).To(Equal("{}"))
	})

	It("leaves out a host whose file takes no addresses, and names the help topic", func() {
		home.File(".config/Claude/claude_desktop_config.json", "{}")
		home.File(".cursor/mcp.json", "{}")

		named := home.Run("connect", "claude-desktop", "--url", address, "--yes")
		every := home.Run("connect", "--all", "--url", address, "--yes")

		Expect(named.Code).To(Equal(1))
		Expect(named.Stderr).To(ContainSubstring("Claude Desktop takes no addresses in its file"))
		Expect(every.Code).To(Equal(0), every.Stderr)
		Expect(every.Stdout).To(ContainSubstring("Claude Desktop takes no addresses in its file"))
		Expect(home.Content(".config/Claude/claude_desktop_config.json")).To(Equal("{}"))
		Expect(home.Content(".cursor/mcp.json")).To(ContainSubstring(address))
		Expect(home.Run("help", "hosts", "address").Stdout).To(ContainSubstring("mcp-remote"))
	})

	It("causes no finding of doctor, and adds nothing to import", func() {
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(".cursor/mcp.json", "{}")
		Expect(home.Run("connect", "cursor", "--url", address, "--yes").Code).To(Equal(0))

		for _, finding := range home.Examined() {
			Expect(finding.About).NotTo(ContainSubstring("mcp.json"), finding.Found)
		}
		Expect(home.Run("import", "--dry-run").Stdout).To(ContainSubstring("its name is that of the workbench, and it has an address"))
	})

	DescribeTable("refuses", func(code int, reason string, args ...string) {
		home.File(".cursor/mcp.json", `{"mcpServers": {"workbench": {"url": "https://other.example.com/mcp?key=secret-of-other"}}}`)
		before := home.Content(".cursor/mcp.json")

		outcome := home.Run(append([]string{"connect", "cursor", "--yes"}, args...)...)

		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(before))
		Expect(os.ReadDir(home.Path(".cursor"))).To(HaveLen(1))
	},
		Entry("no scheme", 2, "begins with http:// or https://", "--url", "mcp.example.com/mcp"),
		Entry("a token without an address", 2, "--token-env goes with --url", "--token-env", "TEAM_TOKEN"),
		Entry("--replace, since the configuration is elsewhere", 2, "--replace and --url exclude each other", "--url", address, "--replace"),
	)
})
