package hosts_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Connecting Claude Code, which changes its own file", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "${GIT_TOKEN}", "H": "${HOME}"}}}`)
	})
	// claude is a program of that name, which notes how it was run.
	claude := func(script string) {
		GinkgoHelper()
		home.File("bin/claude", "#!/bin/sh\nprintf '%s\\n' \"$*\" >> \"$HOME/runs\"\n"+script)
		Expect(os.Chmod(home.Path("bin/claude"), 0o700)).To(Succeed())
	}
	const claudeFile = `{"mcpServers": {"git": {"command": "git-mcp", "args": ["--stdio"], "env": {"H": "${HOME}", "GIT_TOKEN": "${GIT_TOKEN}"}}}}`

	It("runs its command", func() {
		home.File(".claude.json", claudeFile)
		claude(`case "$2" in
add-json)
	printf '%s' "$7" > "$HOME/added"
	printf '{"mcpServers": {"git": {"command": "git-mcp"}, "workbench": %s}}' "$7" > "$HOME/.claude.json" ;;
remove)
	read -r added < "$HOME/added"
	printf '{"mcpServers": {"workbench": %s}}' "$added" > "$HOME/.claude.json" ;;
esac
`)

		connected := home.Run("connect", "claude-code", "--replace", "--yes")

		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(connected.Stdout).To(And(ContainSubstring("Claude Code changes the file itself"), ContainSubstring("claude mcp', which takes some seconds…")))
		runs := strings.Split(home.Content("runs"), "\n")
		Expect(runs[0]).To(HavePrefix("mcp add-json --scope user -- workbench {"))
		Expect(runs[0]).To(ContainSubstring(`"env":{"GIT_TOKEN":"${GIT_TOKEN}"}`))
		Expect(runs[1]).To(Equal("mcp remove --scope user -- git"), "what is added comes first, so that nothing is ever lost")
	})

	DescribeTable("checks the file after a command", func(script, wanted string, runs int) {
		home.File(".claude.json", claudeFile)
		claude(script)

		connected := home.Run("connect", "claude-code", "--replace", "--yes")

		Expect(connected.Code).To(Equal(1))
		Expect(connected.Stderr).To(ContainSubstring(wanted))
		Expect(connected.Stdout).NotTo(ContainSubstring("written"))
		Expect(home.Content(".claude.json")).To(ContainSubstring("git-mcp"), "no server is lost")
		Expect(strings.Count(home.Content("runs"), "\n")).To(Equal(runs))
	},
		Entry("that wrote nothing", "", `claude mcp add-json' reported success, but "workbench" is not in `, 1),
		Entry("that wrote another file", `printf '{"mcpServers": {"workbench": {}}}' > "$HOME/other.json"`, `"workbench" is not in `, 1),
		Entry("that removed nothing", `printf '{"mcpServers": {"git": {"command": "git-mcp"}, "workbench": {}}}' > "$HOME/.claude.json"`,
			`claude mcp remove' reported success, but "git" is still in `, 2),
		Entry("that left no file to read", `printf '{"mcpServers": "git-mcp' > "$HOME/.claude.json"`, "check what '", 1),
	)

	It("fails with the output of the command, or says that it printed nothing", func() {
		home.File(".claude.json", claudeFile)
		failure := func(script string) string {
			claude(script)
			return home.Run("connect", "claude-code", "--yes").Stderr
		}

		Expect(failure("exit 3")).To(HaveSuffix("claude mcp add-json': exit status 3, and it printed nothing\n"))
		Expect(failure("echo no >&2; exit 3")).To(HaveSuffix("claude mcp add-json': exit status 3: no\n"))
	})

	It("continues where it was interrupted, and loses no server", func() {
		home.File(".claude.json", claudeFile)
		// It removes the server, and fails before it has written the workbench.
		claude(`printf '{"mcpServers": {}}' > "$HOME/.claude.json"; exit 1`)
		cutOff := home.Run("connect", "claude-code", "--replace", "--yes")
		Expect(cutOff.Code).To(Equal(1))
		Expect(cutOff.Stderr).To(ContainSubstring("claude mcp add-json"))
		Expect(os.Remove(home.Path("bin/claude"))).To(Succeed())

		connected := home.Run("connect", "claude-code", "--replace", "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(home.Content(".claude.json")).To(ContainSubstring("workbench"))
		disconnected := home.Run("disconnect", "claude-code", "--yes")

		Expect(disconnected.Code).To(Equal(0), disconnected.Stderr)
		Expect(home.Content(".claude.json")).To(MatchJSON(claudeFile))
	})
})
