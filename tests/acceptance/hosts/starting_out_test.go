package hosts_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

const (
	claudeDesktopFile = `{"mcpServers": {"fs": {"command": "npx", "args": ["@modelcontextprotocol/server-filesystem", "/x"]}}}`
	codexFile         = "# mine\n[mcp_servers.git]\ncommand = \"uvx\"\nargs = [\"mcp-server-git\"]\n"
)

// noBackground answers no to the question of init about one workbench for all windows.
var noBackground = Turn{Until: "in the background? [y/N] ", Type: "\r"}

// noSkills answers no to the question of init about skills for the connected hosts.
var noSkills = Turn{Until: "can call its tools? [y/N] ", Type: "\r"}

var _ = Describe("Starting out", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(".config/Claude/claude_desktop_config.json", claudeDesktopFile)
		home.File(".codex/config.toml", codexFile)
	})
	const down, space, enter = "\x1b[B", " ", "\r"

	It("finds the servers of hosts, makes toolboxes and connects the hosts, in a terminal", func() {
		outcome := RunInTerminal(
			home.Launch("init"),
			Turn{Until: "Which servers go into toolboxes?", Type: enter},
			noBackground,
			Turn{Until: "[Y/n] ", Type: enter},
			Turn{Until: "Which hosts get the workbench", Type: ""},
			Turn{Until: "[x] Codex", Type: space + down + enter},
			Turn{Until: "[Y/n] ", Type: enter},
			Turn{Until: "so that the shell of Codex can call its tools? [y/N] ", Type: "y\r"},
			Turn{Until: ".agents/skills? [y/N] ", Type: "y\r"},
		)

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(home.Content(".agents/skills/workbench-code/SKILL.md")).To(ContainSubstring("mcp-workbench list code"))
		Expect(strings.Join(strings.Fields(outcome.Stdout), " ")).To(ContainSubstring(
			"A model chooses toolboxes by their descriptions; 'mcp-workbench describe TOOLBOX TEXT' changes one."))
		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"files"`), ContainSubstring(`"code"`)))
		Expect(home.Content(".config/Claude/claude_desktop_config.json")).To(Equal(claudeDesktopFile), "the host that was not chosen")
		Expect(home.Content(".codex/config.toml")).To(And(ContainSubstring("workbench"), Not(ContainSubstring("mcp-server-git"))))
		Expect(home.Run("disconnect", "--all", "--yes").Code).To(Equal(0))
		Expect(home.Content(".codex/config.toml")).To(Equal(codexFile))
		Expect(home.Path(".agents")).NotTo(BeADirectory())
	})

	It("names the toolboxes without a description at its end, with the command that describes one", func() {
		home.File(".codex/config.toml", "[mcp_servers.own]\ncommand = \"/opt/own\"\n")

		outcome := RunInTerminal(home.Launch("init"),
			Turn{Until: "Which servers go into toolboxes?", Type: enter}, noBackground, Turn{Until: "[Y/n] ", Type: enter},
			Turn{Until: "Which hosts get the workbench", Type: ""}, Turn{Until: "[x] Codex", Type: space + down + enter},
			Turn{Until: "[Y/n] ", Type: enter}, noSkills)

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(strings.Join(strings.Fields(outcome.Stdout), " ")).To(HaveSuffix("own: no description. 'mcp-workbench describe own TEXT' gives one; " +
			"until then the model sees what the servers say of themselves, once they were opened."))
	})

	It("reports that nothing was written after a no", func() {
		outcome := RunInTerminal(
			home.Launch("init"),
			Turn{Until: "Which servers go into toolboxes?", Type: enter},
			noBackground,
			Turn{Until: "+    \"files\"", Type: ""}, // the summary follows the file
			Turn{Until: "code/git from ", Type: ""},
			Turn{Until: "[Y/n] ", Type: "n\r"},
		)

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(HaveSuffix("Nothing was written; 'mcp-workbench init' asks again.\n"))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	})

	DescribeTable("asks whether windows share one workbench in the background", func(answer string, matcher OmegaMatcher) {
		RunInTerminal(
			home.Launch("init"),
			Turn{Until: "Which servers go into toolboxes?", Type: enter},
			Turn{Until: "in the background? [y/N] ", Type: answer + "\r"},
			Turn{Until: "[Y/n] ", Type: "y\r"},
			Turn{Until: "Which hosts get the workbench", Type: "\x03"},
		)

		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"files"`), matcher))
		Expect(home.Run("validate").Code).To(Equal(0))
	},
		Entry("yes", "y", ContainSubstring(`"background": true,`)),
		Entry("no, which is the default", "", Not(ContainSubstring("background"))),
	)

	It("shares the servers that keep nothing of a window, and says why others are not shared", func() {
		home.File(".codex/config.toml", codexFile+`[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
[mcp_servers.own]
command = "/opt/own"
[mcp_servers.linear]
url = "https://mcp.linear.app/mcp"
`)
		outcome := RunInTerminal(
			home.Launch("init"),
			Turn{Until: "Which servers go into toolboxes?", Type: enter},
			Turn{Until: "in the background? [y/N] ", Type: "y\r"},
			Turn{Until: "[Y/n] ", Type: "y\r"},
			Turn{Until: "Which hosts get the workbench", Type: "\x03"},
		)

		said := strings.Join(strings.Fields(outcome.Stdout), " ")
		Expect(said).To(ContainSubstring("All windows share docs/context7. Each window starts its own"))
		Expect(said).To(ContainSubstring("files/fs, code/git: it may work in the folder of its window"))
		Expect(said).To(ContainSubstring("own/own: what it keeps between calls is not known"))
		Expect(said).To(ContainSubstring("tasks/linear: it runs elsewhere, and starts nothing here"))
		Expect(strings.Count(home.Content(OwnConfiguration), `"shared": true`)).To(Equal(1))
		Expect(home.Run("validate").Code).To(Equal(0))
	})

	It("imports only the chosen servers", func() {
		outcome := RunInTerminal(
			home.Launch("init", "--color", "never"),
			Turn{Until: "> [x] files/fs  from Claude Desktop", Type: down},
			Turn{Until: "> [x] code/git  from Codex", Type: space},
			Turn{Until: "> [ ] code/git  from Codex", Type: enter},
			noBackground,
			Turn{Until: "[Y/n] ", Type: "y\r"},
			Turn{Until: "Which hosts get the workbench", Type: "\x03"},
		)

		Expect(outcome.Code).To(Equal(130))
		Expect(outcome.Stdout).To(ContainSubstring("mcp-workbench: interrupted\n"))
		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"files"`), Not(ContainSubstring(`"code"`))))
		Expect(home.Content(".codex/config.toml")).To(Equal(codexFile))
	})

	DescribeTable("asks nothing and connects no host", func(flags ...string) {
		outcome := home.Run(append([]string{"init"}, flags...)...)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("Next: 'mcp-workbench connect --all --replace'"))
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(`{"$schema": "./workbench-config.schema.json", "definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {
			"files": {"description": "fs: files and folders",
				"mcpServers": {"fs": {"command": "npx", "args": ["@modelcontextprotocol/server-filesystem", "/x"]}}},
			"code": {"description": "git: repositories, reviews, builds and tools for code",
				"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}}}}`))
		Expect(home.Content(".codex/config.toml")).To(Equal(codexFile))
		info, err := os.Stat(home.Path(OwnConfiguration))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
	},
		Entry("without a terminal"),
		Entry("with --yes", "--yes"),
	)

	It("lets models find tools if there are six toolboxes or more", func() {
		servers := map[string]string{}
		for _, name := range []string{"one", "two", "three", "four"} {
			servers[name] = `{"command": "` + name + `"}`
		}
		write := func() string {
			var entries []string
			for name, server := range servers {
				entries = append(entries, Quote(name)+": "+server)
			}
			return `{"mcpServers": {` + strings.Join(entries, ", ") + `}}`
		}
		for _, has := range []bool{false, true} {
			other := NewHomeFolder()
			other.File(".cursor/mcp.json", write())
			Expect(other.Run("init").Code).To(Equal(0))
			Expect(strings.Contains(other.Content(OwnConfiguration), `"findTool": true`)).To(Equal(has))
			servers["five"], servers["six"] = `{"command": "five"}`, `{"command": "six"}`
		}
	})

	It("imports servers of the project in the working directory only if they are chosen", func() {
		home.File("work/.mcp.json", `{"mcpServers": {"team": {"command": "team"}}}`)

		RunInTerminal(home.Launch("init", "--color", "never"), Turn{Until: "[ ] team/team  from Claude Code, in the project", Type: "\x03"})
		outcome := home.Run("init")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(`not imported: "team"`))
		Expect(home.Content(OwnConfiguration)).NotTo(ContainSubstring("team"))
	})

	It("shows with --dry-run what it would write", func() {
		outcome := home.Run("init", "--dry-run", "--json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		var result importResult
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed())
		Expect(result.servers()).To(ConsistOf("files/fs", "code/git"))
		Expect(result.Written).To(BeFalse())
		Expect(home.Run("init", "--dry-run").Stdout).To(ContainSubstring(`+    "files": {`))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	})

	It("never overwrites a configuration", func() {
		home.File(OwnConfiguration, "// empty on purpose")
		outcome := home.Run("init", "--yes")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("is not overwritten; 'mcp-workbench import' adds servers to it"))
		Expect(home.Content(OwnConfiguration)).To(Equal("// empty on purpose"))
	})

	It("writes the file that --config names", func() {
		outcome := home.Run("init", "--yes", "--config", "here.json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content("work/here.json")).To(ContainSubstring(`"files"`))
		Expect(outcome.Stdout).To(ContainSubstring("Next: 'mcp-workbench --config here.json connect --all --replace', then open the host"))
	})

	It("creates an empty configuration on a machine without servers, and prints what to do next", func() {
		Expect(os.Remove(home.Path(".codex/config.toml"))).To(Succeed())
		Expect(os.Remove(home.Path(".config/Claude/claude_desktop_config.json"))).To(Succeed())
		outcome := home.Run("init")
		Expect(outcome.Stdout).To(ContainSubstring("Next: 'mcp-workbench add NAME -- COMMAND ARGS…'"))
		Expect(home.Run("validate").Stdout).To(ContainSubstring("ok (toolboxes: 0, servers: 0)"))
	})
})
