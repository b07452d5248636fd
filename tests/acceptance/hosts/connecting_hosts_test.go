package hosts_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Connecting hosts", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "${GIT_TOKEN}"}}}`)
	})

	// run runs the program with the value that GIT_TOKEN has in CursorFile.
	run := func(args ...string) Outcome {
		GinkgoHelper()
		launch := home.Launch(args...)
		launch.Env = append(launch.Env, "GIT_TOKEN=secret-of-git")
		return Run(launch)
	}

	DescribeTable("writes this program and its configuration, and disconnecting restores the bytes", func(host, name, text string) {
		home.File(name, text)

		connected := home.Run("connect", host, "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(home.Content(name)).To(And(ContainSubstring("mcp-workbench"), ContainSubstring(home.Path(OwnConfiguration)), ContainSubstring("GIT_TOKEN")))

		again := home.Run("connect", host, "--yes")
		Expect(again.Stdout).To(ContainSubstring("nothing to change"))

		disconnected := home.Run("disconnect", host, "--yes")
		Expect(disconnected.Code).To(Equal(0), disconnected.Stderr)
		Expect(home.Content(name)).To(Equal(text))
	},
		Entry("JSON with comments", "cursor", ".cursor/mcp.json", CursorFile),
		Entry("an empty file", "gemini", ".gemini/settings.json", ""),
		Entry("TOML", "codex", ".codex/config.toml", "# mine\nmodel = \"x\"\n\n[mcp_servers.git]\ncommand = 'git-mcp' # y"),
	)

	It("limits a host to some toolboxes until it is connected without --toolbox", func() {
		chosen := home.Run("connect", "cursor", "--toolbox", "code", "--yes")
		Expect(chosen.Code).To(Equal(0), chosen.Stderr)
		Expect(home.Content(".cursor/mcp.json")).To(MatchRegexp(`"--toolbox",\s*"code"`))
		Expect(home.Run("import", "cursor", "--yes", "--json").Stdout).To(ContainSubstring("it is the workbench itself"))

		whole := home.Run("connect", "cursor", "--yes")
		Expect(whole.Code).To(Equal(0), whole.Stderr)
		Expect(home.Content(".cursor/mcp.json")).NotTo(ContainSubstring("--toolbox"))
	})

	DescribeTable("refuses toolboxes that", func(complaint string, code int, flags ...string) {
		outcome := home.Run(append([]string{"connect", "cursor", "--yes"}, flags...)...)
		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(complaint))
		Expect(home.Path(".cursor/mcp.json")).NotTo(BeAnExistingFile())
	},
		Entry("do not exist", "no toolbox 'cdoe' is configured; did you mean 'code'?", 1, "--toolbox", "cdoe"),
		Entry("are behind an address", "--toolbox and --url exclude each other", 2, "--toolbox", "code", "--url", "http://127.0.0.1:1/mcp"),
	)

	It("writes no reference to an unset variable for a host that would then refuse its file", func() {
		without := home.Run("connect", "warp", "--yes")
		Expect(without.Stdout).To(ContainSubstring("Warp refuses its file"))
		Expect(home.Content(".warp/.mcp.json")).NotTo(ContainSubstring("GIT_TOKEN"))
	})

	It("removes servers that are in the configuration, and shows no value", func() {
		home.File(".cursor/mcp.json", CursorFile)

		plain := run("connect", "cursor", "--dry-run")
		Expect(plain.Stdout).To(ContainSubstring(`Cursor also has "git" itself`))

		replaced := run("connect", "--all", "--replace", "--yes")
		Expect(replaced.Code).To(Equal(0), replaced.Stderr)
		Expect(home.Content(".cursor/mcp.json")).NotTo(ContainSubstring("git-mcp"))
		Expect(home.Content(".cursor/mcp.json")).To(ContainSubstring(`"GIT_TOKEN": "${env:GIT_TOKEN}"`))

		for _, outcome := range []Outcome{plain, replaced, home.Run("disconnect", "cursor", "--yes")} {
			Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(ContainSubstring("•••"))
		}
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
	})

	It("writes nothing without a terminal to ask in, and says what to run", func() {
		home.File(".cursor/mcp.json", CursorFile)

		outcome := run("connect", "cursor", "--replace")

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(MatchRegexp(`(?m)^  runs: GIT_TOKEN='\$\{GIT_TOKEN\}' \S*mcp-workbench\S* --config \S+\n  GIT_TOKEN goes to the program \S+\n  removes: "git", which the workbench has\n`))
		Expect(outcome.Stdout).To(ContainSubstring("+    \"workbench\""))
		Expect(outcome.Stderr).To(ContainSubstring("run 'mcp-workbench connect cursor --replace --yes'"))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
	})

	It("asks in a terminal, in colour, and accepts only a yes as a yes", func() {
		home.File(".cursor/mcp.json", CursorFile)

		no := RunInTerminal(home.Launch("connect", "cursor"), Turn{Until: "[y/N] ", Type: "\r"})
		Expect(no.Code).To(Equal(0), no.Stdout)
		Expect(no.Stdout).To(ContainSubstring("\x1b[32m+"))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))

		yes := RunInTerminal(home.Launch("connect", "cursor", "--color", "never"), Turn{Until: "[y/N] ", Type: "y\r"})
		Expect(yes.Code).To(Equal(0), yes.Stdout)
		Expect(yes.Stdout).NotTo(ContainSubstring("\x1b["))
		Expect(yes.Stdout).To(ContainSubstring("Cursor: written."))
		Expect(home.Content(".cursor/mcp.json")).To(ContainSubstring("workbench"))
	})

	It("reports its changes as JSON for programs", func() {
		home.File(".cursor/mcp.json", CursorFile)

		outcome := run("connect", "cursor", "--replace", "--yes", "--json")

		var result struct{ Hosts []map[string]any }
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed())
		Expect(result.Hosts).To(HaveLen(1))
		Expect(result.Hosts[0]).To(And(
			HaveKeyWithValue("host", "cursor"), HaveKeyWithValue("file", home.Path(".cursor/mcp.json")),
			HaveKeyWithValue("changes", true), HaveKeyWithValue("written", true), HaveKeyWithValue("replaced", []any{"git"}),
		))
		Expect(outcome.Stdout).NotTo(ContainSubstring("secret-of"))
	})

	It("names servers of the project that stay", func() {
		home.File(".cursor/mcp.json", "{}")
		home.File("work/.cursor/mcp.json", CursorFile)
		outcome := run("connect", "cursor", "--replace", "--yes")
		Expect(outcome.Stdout).To(ContainSubstring(`"git" in ` + home.Path("work/.cursor/mcp.json") + " (project) stays there"))
		Expect(home.Content("work/.cursor/mcp.json")).To(Equal(CursorFile))
	})

	It("says how to remove a server that Claude Code has for one folder", func() {
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(".claude.json", `{"projects": {`+Quote(home.Path("work"))+`: {"mcpServers": {"git": {"command": "git-mcp"}}}}}`)

		Expect(run("connect", "claude-code", "--replace", "--yes").Stdout).To(ContainSubstring("'claude mcp remove git -s local'"))
		Expect(run("doctor", "--offline").Stdout).To(MatchRegexp(`(?m)^D015 .*\n +to remove: 'claude mcp remove git -s local'$`))
	})

	DescribeTable("refuses", func(text string, mode os.FileMode, reason string) {
		path := home.File(".cursor/mcp.json", text)
		Expect(os.Chmod(path, mode)).To(Succeed())
		home.File(".codex/config.toml", "")

		outcome := home.Run("connect", "cursor", "codex", "--yes")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(strings.Count(outcome.Stderr, "\n")).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(text))
		Expect(home.Content(".codex/config.toml")).To(ContainSubstring("workbench"), "the other host")
	},
		Entry("a broken file", `{"mcpServers": {"a": secret-of-a}`, os.FileMode(0o600), "it is not JSON"),
		Entry("a read-only file", CursorFile, os.FileMode(0o400), "it is read-only"),
		Entry("another program with the name",
			`{"mcpServers": {"workbench": {"command": "x"}}}`, os.FileMode(0o600), "another server has the name"),
	)

	DescribeTable("says what to run", func(args []string, code int, reason string) {
		Expect(os.Remove(home.Path(OwnConfiguration))).To(Succeed())
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
	},
		Entry("without a configuration", []string{"connect", "cursor", "--yes"}, 3, "run 'mcp-workbench init' to create one"),
		Entry("for a misspelt host", []string{"connect", "curser"}, 2, `unknown host "curser"; did you mean 'cursor'?`),
		Entry("without the name of a host", []string{"connect"}, 2, "name a host (claude-desktop, "),
		Entry("on a machine without hosts", []string{"connect", "--all", "--yes"}, 1, "no host was found on this machine"),
		Entry("for an unknown value of --color",
			[]string{"connect", "cursor", "--color", "blue"}, 2, `--color "blue": use auto, always, never`),
	)
})
