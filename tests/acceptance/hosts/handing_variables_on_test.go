package hosts_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

const desktopFile = ".config/Claude/claude_desktop_config.json"

var _ = Describe("Connecting a host without references to variables", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "env": {"A": "${A_TOKEN}", "B": "${B_TOKEN}", "H": "${HOME}"}}}`)
		home.File(desktopFile, "{}")
	})
	launch := func(args ...string) Launch {
		l := home.Launch(args...)
		l.Env = append(l.Env, "A_TOKEN=secret-of-a", "B_TOKEN=secret-of-b")
		return l
	}
	entry := func() map[string]any {
		GinkgoHelper()
		var file struct{ McpServers map[string]map[string]any }
		Expect(json.Unmarshal([]byte(home.Content(desktopFile)), &file)).To(Succeed())
		return file.McpServers["workbench"]
	}

	It("asks for each variable, and writes the values that get a yes", func() {
		outcome := RunInTerminal(
			launch("connect", "claude-desktop"),
			Turn{Until: "Write the value of A_TOKEN into " + home.Path(desktopFile) + ", in plain text? [y/N] ", Type: "y\r"},
			Turn{Until: "Write the value of B_TOKEN", Type: ""},
			Turn{Until: "[y/N] ", Type: "\r"},
			Turn{Until: "[y/N] ", Type: "y\r"},
		)

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).NotTo(ContainSubstring("secret-of"))
		Expect(outcome.Stdout).NotTo(ContainSubstring("value of HOME"))
		Expect(outcome.Stdout).To(ContainSubstring("servers that need B_TOKEN do not start"))
		Expect(entry()).To(HaveKeyWithValue("env", map[string]any{"A_TOKEN": "secret-of-a"}))

		again := RunInTerminal(launch("connect", "claude-desktop"), Turn{Until: "value of B_TOKEN", Type: "\r"})
		Expect(again.Stdout).To(And(ContainSubstring("nothing to change"), Not(ContainSubstring("value of A_TOKEN"))))
		Expect(home.Run("connect", "claude-desktop", "--yes").Stdout).To(ContainSubstring("nothing to change"), "what is there stays")
	})

	DescribeTable("writes no value without asking, and says how to set what is missing", func(flags ...string) {
		outcome := Run(launch(append([]string{"connect", "claude-desktop"}, flags...)...))

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).NotTo(ContainSubstring("secret-of"))
		Expect(outcome.Stdout).To(And(
			ContainSubstring("servers that need A_TOKEN, B_TOKEN do not start"),
			ContainSubstring("run 'mcp-workbench connect claude-desktop' in a terminal"),
			ContainSubstring(home.Path(desktopFile)),
		))
		Expect(home.Content(desktopFile)).NotTo(ContainSubstring("secret-of"))
	},
		Entry("with --yes", "--yes"),
		Entry("with --dry-run", "--dry-run"),
		Entry("for a program", "--yes", "--json"),
	)

	It("asks for no value where the file might be committed", func() {
		home.File(".config/Claude/.git/HEAD", "ref: refs/heads/main\n")

		outcome := RunInTerminal(launch("connect", "claude-desktop"), Turn{Until: "Write this to", Type: ""}, Turn{Until: "[y/N] ", Type: "y\r"})

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).NotTo(ContainSubstring("value of"))
		Expect(home.Content(desktopFile)).NotTo(ContainSubstring("secret-of"))
	})

	It("keeps secrets of its servers in the configuration, since the host could not pass them on", func() {
		Expect(os.Remove(home.Path(OwnConfiguration))).To(Succeed())
		home.File(desktopFile, `{"mcpServers": {"git": {"command": "git-mcp", "env": {"A_TOKEN": "secret-of-a"}}}}`)

		outcome := Run(launch("import", "claude-desktop", "--yes"))

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("export A_TOKEN=…"))
		Expect(strings.Count(home.Content(OwnConfiguration), "secret-of-a")).To(Equal(1))
	})
})

var _ = Describe("Connecting a host with references to variables", func() {
	It("names variables that the workbench reads and the host takes away, if they are set and lead elsewhere", func() {
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(desktopFile, "{}")
		l := home.Launch("connect", "codex", "gemini", "cursor", "claude-desktop", "--yes")
		l.Env = append(l.Env, "XDG_STATE_HOME="+home.Path("state"), "HTTPS_PROXY=http://user:secret@proxy:1", "SSL_CERT_FILE=/etc/corp.pem")

		outcome := Run(l)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(".codex/config.toml")).To(ContainSubstring(`env_vars = ["XDG_STATE_HOME", "HTTPS_PROXY", "SSL_CERT_FILE"]`))
		Expect(home.Content(".gemini/settings.json")).To(And(ContainSubstring(`"SSL_CERT_FILE": "$SSL_CERT_FILE"`), Not(ContainSubstring("PROXY"))))
		Expect(home.Content(".cursor/mcp.json")).NotTo(Or(ContainSubstring("XDG"), ContainSubstring("PROXY")))
		Expect(home.Content(desktopFile)).NotTo(ContainSubstring("PROXY"))
		Expect(outcome.Stdout).To(And(ContainSubstring("Claude Desktop does not pass on XDG_STATE_HOME, HTTPS_PROXY, SSL_CERT_FILE"), Not(ContainSubstring("secret"))))
	})
})

var _ = Describe("Connecting a host that passes on all variables", func() {
	It("says where to set one that servers inherit, since connecting again would change nothing", func() {
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "inheritEnv": ["GIT_WORD"]}}`)
		home.File(".config/goose/config.yaml", "extensions: {}\n")

		Expect(home.Run("connect", "goose", "--yes").Stdout).To(And(
			ContainSubstring("GIT_WORD is not set here; set it where Goose is started"), Not(ContainSubstring("again"))))
	})
})
