package acceptance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// homeFolder is a throw-away home folder.
type homeFolder string

func newHomeFolder() homeFolder {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("the places of Windows are a matter of unit specs")
	}
	directory, err := filepath.EvalSymlinks(GinkgoT().TempDir())
	Expect(err).NotTo(HaveOccurred())
	Expect(os.MkdirAll(filepath.Join(directory, "work"), 0o700)).To(Succeed())
	return homeFolder(directory)
}

func (h homeFolder) path(name string) string { return filepath.Join(string(h), name) }

func (h homeFolder) file(name, text string) string {
	GinkgoHelper()
	write(h.path(name), text)
	return h.path(name)
}

func (h homeFolder) content(name string) string {
	GinkgoHelper()
	text, err := os.ReadFile(h.path(name))
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}

// launch is a run of the program with this home folder and nothing else of this machine.
func (h homeFolder) launch(args ...string) Launch {
	return Launch{
		Args: args, Dir: h.path("work"),
		Env: []string{"HOME=" + string(h), "XDG_CONFIG_HOME=" + h.path(".config"), "PATH=" + h.path("bin"), "TERM=xterm"},
	}
}

func (h homeFolder) run(args ...string) Outcome {
	GinkgoHelper()
	return Run(h.launch(args...))
}

const ownConfiguration = ".config/mcp-workbench/workbench-config.json"

// configured writes a configuration where the program finds it.
func (h homeFolder) configured(servers string) {
	GinkgoHelper()
	h.file(ownConfiguration, `{"toolboxes": {"code": {"mcpServers": `+servers+`}}}`)
}

const cursorFile = `{
  // what I use
  "mcpServers": {
    "git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "secret-of-git"}}, // daily
    "web": {"url": "https://host/mcp"},
  },
  "account": "secret-of-cursor"
}`

var _ = Describe("Connecting hosts", func() {
	var home homeFolder
	BeforeEach(func() {
		home = newHomeFolder()
		home.configured(`{"git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "${GIT_TOKEN}"}}}`)
	})

	DescribeTable("writes this program and its configuration, and disconnecting gives the bytes back", func(host, name, text string) {
		home.file(name, text)

		connected := home.run("connect", host, "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(home.content(name)).To(And(ContainSubstring("mcp-workbench"), ContainSubstring(home.path(ownConfiguration)), ContainSubstring("GIT_TOKEN")))

		again := home.run("connect", host, "--yes")
		Expect(again.Stdout).To(ContainSubstring("nothing to change"))

		disconnected := home.run("disconnect", host, "--yes")
		Expect(disconnected.Code).To(Equal(0), disconnected.Stderr)
		Expect(home.content(name)).To(Equal(text))
	},
		Entry("JSON with comments", "cursor", ".cursor/mcp.json", cursorFile),
		Entry("JSON as Windows has it", "vscode", ".config/Code/User/mcp.json", "\ufeff{\r\n\t\"servers\": {\r\n\t\t\"a\": {\"command\": \"a\"}\r\n\t}\r\n}\r\n"),
		Entry("JSON on one line", "claude-code", ".claude.json", `{"numStartups":3,"mcpServers":{},"projects":{}}`),
		Entry("an empty file", "gemini", ".gemini/settings.json", ""),
		Entry("JSON without servers", "opencode", ".config/opencode/opencode.json", "{\n  \"theme\": \"x\"\n}\n"),
		Entry("JSON with comments beside none", "opencode", ".config/opencode/opencode.jsonc", "{\n  // theirs\n  \"mcp\": {},\n}\n"),
		Entry("TOML", "codex", ".codex/config.toml", "# mine\nmodel = \"x\"\n\n[mcp_servers.git]\ncommand = 'git-mcp' # y"),
	)

	It("takes servers out that are in the configuration, and shows no value", func() {
		home.file(".cursor/mcp.json", cursorFile)

		plain := home.run("connect", "cursor", "--dry-run")
		Expect(plain.Stdout).To(ContainSubstring(`Cursor also has "git" itself`))

		replaced := home.run("connect", "--all", "--replace", "--yes")
		Expect(replaced.Code).To(Equal(0), replaced.Stderr)
		Expect(home.content(".cursor/mcp.json")).NotTo(ContainSubstring("git-mcp"))
		Expect(home.content(".cursor/mcp.json")).To(ContainSubstring(`"GIT_TOKEN": "${env:GIT_TOKEN}"`))
		Expect(replaced.Stdout).To(ContainSubstring("not set here: GIT_TOKEN"))

		for _, outcome := range []Outcome{plain, replaced, home.run("disconnect", "cursor", "--yes")} {
			Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(ContainSubstring("•••"))
		}
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))
	})

	It("writes nothing when nobody can be asked, and says what to run", func() {
		home.file(".cursor/mcp.json", cursorFile)

		outcome := home.run("connect", "cursor", "--replace")

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(ContainSubstring("+    \"workbench\""))
		Expect(outcome.Stderr).To(ContainSubstring("run 'mcp-workbench connect cursor --replace --yes'"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))
	})

	It("asks in a terminal, in colour, and takes only a yes for one", func() {
		home.file(".cursor/mcp.json", cursorFile)

		no := RunInTerminal(home.launch("connect", "cursor"), Turn{Until: "[y/N] ", Type: "\r"})
		Expect(no.Code).To(Equal(0), no.Stdout)
		Expect(no.Stdout).To(ContainSubstring("\x1b[32m+"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))

		yes := RunInTerminal(home.launch("connect", "cursor", "--color", "never"), Turn{Until: "[y/N] ", Type: "y\r"})
		Expect(yes.Code).To(Equal(0), yes.Stdout)
		Expect(yes.Stdout).NotTo(ContainSubstring("\x1b["))
		Expect(yes.Stdout).To(ContainSubstring("Cursor: written."))
		Expect(home.content(".cursor/mcp.json")).To(ContainSubstring("workbench"))
	})

	It("refuses a file that changed while the question was open", func() {
		home.file(".cursor/mcp.json", cursorFile)
		terminal := OnTerminal(home.launch("connect", "cursor"), 100, nil)
		terminal.AwaitShown("[y/N] ")
		home.file(".cursor/mcp.json", "{}")

		terminal.Type("y\r")

		Expect(terminal.End()).To(Equal(1))
		Expect(terminal.Shown()).To(ContainSubstring("the file changed meanwhile"))
		Expect(home.content(".cursor/mcp.json")).To(Equal("{}"))
	})

	It("tells programs what it did", func() {
		home.file(".cursor/mcp.json", cursorFile)

		outcome := home.run("connect", "cursor", "--replace", "--yes", "--json")

		var result struct{ Hosts []map[string]any }
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed())
		Expect(result.Hosts).To(HaveLen(1))
		Expect(result.Hosts[0]).To(And(
			HaveKeyWithValue("host", "cursor"), HaveKeyWithValue("file", home.path(".cursor/mcp.json")),
			HaveKeyWithValue("changes", true), HaveKeyWithValue("written", true), HaveKeyWithValue("replaced", []any{"git"}),
		))
		Expect(outcome.Stdout).NotTo(ContainSubstring("secret-of"))
	})

	It("names servers of the project that stay", func() {
		home.file(".cursor/mcp.json", "{}")
		home.file("work/.cursor/mcp.json", cursorFile)
		outcome := home.run("connect", "cursor", "--replace", "--yes")
		Expect(outcome.Stdout).To(ContainSubstring(`"git" in ` + home.path("work/.cursor/mcp.json") + " (project) stay there"))
		Expect(home.content("work/.cursor/mcp.json")).To(Equal(cursorFile))
	})

	It("follows a link and keeps the mode", func() {
		target := home.file("dotfiles/mcp.json", cursorFile)
		Expect(os.Chmod(target, 0o640)).To(Succeed())
		Expect(os.MkdirAll(home.path(".cursor"), 0o700)).To(Succeed())
		Expect(os.Symlink(target, home.path(".cursor/mcp.json"))).To(Succeed())

		outcome := home.run("connect", "cursor", "--yes")

		Expect(outcome.Stdout).To(ContainSubstring("is a link: " + target + " is written"))
		info, err := os.Lstat(target)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode()).To(BeEquivalentTo(0o640))
		Expect(home.content("dotfiles/mcp.json")).To(ContainSubstring("workbench"))
	})

	DescribeTable("refuses", func(text string, mode os.FileMode, reason string) {
		path := home.file(".cursor/mcp.json", text)
		Expect(os.Chmod(path, mode)).To(Succeed())
		home.file(".codex/config.toml", "")

		outcome := home.run("connect", "cursor", "codex", "--yes")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(strings.Count(outcome.Stderr, "\n")).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(text))
		Expect(home.content(".codex/config.toml")).To(ContainSubstring("workbench"), "the other host")
	},
		Entry("a broken file", `{"mcpServers": {"a": secret-of-a}`, os.FileMode(0o600), "it is not JSON"),
		Entry("UTF-16", "\xff\xfe{\x00}\x00", os.FileMode(0o600), "it is in UTF-16, not in UTF-8"),
		Entry("a read-only file", cursorFile, os.FileMode(0o400), "it is read-only"),
		Entry("50 MB", strings.Repeat(" ", 50<<20)+"{}", os.FileMode(0o600), "it is larger than 16 MiB"),
		Entry("a list of servers that is none", `{"mcpServers": []}`, os.FileMode(0o600), `"mcpServers" is not an object`),
		Entry("another program of the name", `{"mcpServers": {"workbench": {"command": "x"}}}`, os.FileMode(0o600), "another server has the name"),
	)

	It("puts servers back when the entry is gone already", func() {
		home.file(".cursor/mcp.json", cursorFile)
		Expect(home.run("connect", "cursor", "--replace", "--yes").Code).To(Equal(0))
		home.file(".cursor/mcp.json", `{"mcpServers": {}}`)

		disconnected := home.run("disconnect", "cursor", "--yes")

		Expect(disconnected.Code).To(Equal(0), disconnected.Stderr)
		Expect(home.content(".cursor/mcp.json")).To(ContainSubstring("git-mcp"))
		Expect(home.run("disconnect", "cursor", "--yes").Stdout).To(ContainSubstring("nothing to change"))
	})

	DescribeTable("says what to run", func(args []string, code int, reason string) {
		Expect(os.Remove(home.path(ownConfiguration))).To(Succeed())
		outcome := home.run(args...)
		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
	},
		Entry("without a configuration", []string{"connect", "cursor", "--yes"}, 3, "run 'mcp-workbench init' to make one"),
		Entry("for a slip", []string{"connect", "curser"}, 2, `unknown host "curser"; did you mean "cursor"?`),
		Entry("without a host", []string{"connect"}, 2, "name a host (claude-desktop, "),
		Entry("on a machine without hosts", []string{"connect", "--all", "--yes"}, 1, "no host was found on this machine"),
		Entry("for a colour that there is none", []string{"connect", "cursor", "--color", "blue"}, 2, `--color "blue": use auto, always, never`),
	)
})
