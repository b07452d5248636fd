package acceptance_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	. "mcp-workbench/tests/workbenchtest"
)

// importResult is what import prints with --json.
type importResult struct {
	File                      string
	Created, Changes, Written bool
	Imported                  []struct {
		Toolbox, Server, Host string
		Disabled              bool
		Notes                 []string
		Secrets               []map[string]any
	}
	Left   []struct{ Server, Host, Reason string }
	Unread []struct{ File, Error string }
}

func (r importResult) servers() []string {
	var all []string
	for _, server := range r.Imported {
		all = append(all, server.Toolbox+"/"+server.Server)
	}
	return all
}

var _ = Describe("Importing servers", func() {
	var home homeFolder
	BeforeEach(func() { home = newHomeFolder() })

	imported := func(outcome Outcome, code types.GomegaMatcher) importResult {
		GinkgoHelper()
		Expect(outcome.Code).To(code, outcome.Stderr)
		var result importResult
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed(), outcome.Stdout)
		return result
	}

	It("takes the servers of every host once, into toolboxes that fit", func() {
		home.file(".config/Claude/claude_desktop_config.json", `{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/x"]}}}`)
		home.file(".claude.json", `{"oauth": "s", "mcpServers": {"hub": {"type": "http", "url": "https://api.github.com/mcp", "headers": {"Authorization": "Bearer ${HUB}"}}},
			"projects": {"`+home.path("work")+`": {"mcpServers": {"mine": {"command": "mine"}}}}}`)
		home.file("work/.mcp.json", `{"mcpServers": {"team": {"command": "team"}}}`)
		home.file(".cursor/mcp.json", "\ufeff{\r\n  // of Windows\r\n  \"mcpServers\": {\"same\": {\"command\": \"npx\", \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/x\"]},},\r\n}")
		home.file(".config/Code/User/mcp.json", `{"servers": {"db": {"command": "uvx", "args": ["postgres-mcp"], "env": {"URI": "${input:db-uri}"}}}, "inputs": [{"id": "db-uri"}]}`)
		home.file(".codeium/windsurf/mcp_config.json", `{"mcpServers": {"pw": {"command": "npx", "args": ["@playwright/mcp"], "disabledTools": ["close"], "disabled": true}}}`)
		home.file(".codex/config.toml", "[mcp_servers.search]\ncommand = \"uvx\"\nargs = [\"mcp-server-fetch\"]\nenabled_tools = [\"fetch\"]\n")
		home.file(".gemini/settings.json", `{"mcpServers": {"mem": {"command": "npx", "args": ["@modelcontextprotocol/server-memory"], "env": {"FILE": "$MEMORY_FILE"}}}}`)
		home.file(".config/opencode/opencode.json", `{"mcp": {"k": {"type": "local", "command": ["npx", "mcp-server-kubernetes"], "enabled": true}, "wb": {"type": "local", "command": ["/x/mcp-workbench"]}}}`)

		result := imported(home.run("import", "--yes", "--json"), Equal(0))

		Expect(result.servers()).To(ConsistOf(
			"files/fs", "code/hub", "tools/mine", "data/db", "web/search", "memory/mem", "cloud/k", "browser/pw",
		))
		Expect(result.Left).To(ConsistOf(
			HaveField("Reason", ContainSubstring(`the same as "fs"`)),
			HaveField("Reason", "it is the workbench itself"),
			HaveField("Reason", "it belongs to the project in this folder; 'mcp-workbench import claude-code' takes it"),
		))
		Expect(result).To(And(HaveField("Created", true), HaveField("Written", true)))

		info, err := os.Stat(result.File)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		text := home.content(ownConfiguration)
		for _, part := range []string{`"Bearer ${HUB}"`, `"${DB_URI}"`, `"!close"`, `"disabled": true`, `"fetch"`, `"${MEMORY_FILE}"`} {
			Expect(text).To(ContainSubstring(part))
		}
		Expect(home.run("validate").Code).To(Equal(0))

		again := imported(home.run("import", "--yes", "--json"), Equal(0))
		Expect(again.Changes).To(BeFalse())
		Expect(home.content(ownConfiguration)).To(Equal(text))
	})

	It("takes those that came with the project when their host is named, and otherwise only after a question", Label("TT07"), func() {
		home.file("work/.mcp.json", `{"mcpServers": {"planted": {"command": "planted"}}}`)

		Expect(imported(home.run("import", "--yes", "--json"), Equal(0)).Imported).To(BeEmpty())
		Expect(imported(home.run("import", "claude-code", "--yes", "--json"), Equal(0)).servers()).To(Equal([]string{"tools/planted"}))
	})

	It("keeps the comments of the configuration, and puts servers where it is told to", func() {
		before := "{\n  // mine\n  \"toolboxes\": {\n    \"a\": {\"mcpServers\": {\"s\": {\"command\": \"x\"}}} // last\n  }\n}\n"
		home.file(ownConfiguration, before)
		pasted := home.file("work/pasted.json", `{"mcpServers": {"one": {"command": "one"} /* more */, "s": {"command": "two"}}}`)

		outcome := home.run("import", pasted, "--toolbox", "a", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(`note: it is called "s-2" here`))
		after := home.content(ownConfiguration)
		Expect(after).To(And(ContainSubstring("// mine"), ContainSubstring("// last"), ContainSubstring(`"s-2"`)))
		Expect(home.content("work/pasted.json")).To(ContainSubstring("/* more */"))
	})

	Describe("with secrets", func() {
		const file = `{"mcpServers": {"git": {"command": "git", "env": {"GIT_TOKEN": "secret-of-git"}},
			"api": {"url": "https://host/mcp?key=secret-of-address", "headers": {"Authorization": "Bearer secret-of-header"}}}}`

		It("never prints one, and says how the environment can hold it", func() {
			home.file(".cursor/mcp.json", file)

			outcome := home.run("import", "cursor", "--yes")

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(And(ContainSubstring("export GIT_TOKEN=…"), ContainSubstring("export API_AUTHORIZATION=…")))
			Expect(home.content(ownConfiguration)).To(And(ContainSubstring("secret-of-git"), ContainSubstring("secret-of-header")))
		})

		It("refers to the variable that has the value", func() {
			home.file(".cursor/mcp.json", file)
			launch := home.launch("import", "cursor", "--yes")
			launch.Env = append(launch.Env, "GIT_TOKEN=secret-of-git", "API_AUTHORIZATION=other")

			Expect(Run(launch).Code).To(Equal(0))

			Expect(home.content(ownConfiguration)).To(And(
				ContainSubstring(`"GIT_TOKEN": "${GIT_TOKEN}"`), ContainSubstring(`"Bearer secret-of-header"`)))
		})

		It("makes a configuration that others can read private", func() {
			path := home.file(ownConfiguration, `{"toolboxes": {}}`)
			Expect(os.Chmod(path, 0o644)).To(Succeed())
			home.file(".cursor/mcp.json", file)
			Expect(home.run("import", "cursor", "--yes").Code).To(Equal(0))
			info, err := os.Stat(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		})

		It("writes none into the configuration of a project", func() {
			home.file(".cursor/mcp.json", file)
			home.file("work/workbench-config.json", "{\n  \"toolboxes\": {}\n}\n")

			outcome := home.run("import", "cursor", "--yes")

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(home.content("work/workbench-config.json")).To(ContainSubstring(`"GIT_TOKEN": "${GIT_TOKEN}"`))
			Expect(home.content("work/workbench-config.json")).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(ContainSubstring("the configuration belongs to a project"))
		})
	})

	It("counts a configuration in a repository as one of a project", func() {
		home.file(".cursor/mcp.json", `{"mcpServers": {"git": {"command": "git", "env": {"GIT_TOKEN": "secret-of-git"}}}}`)
		home.file("work/.git/HEAD", "ref: refs/heads/main\n")
		outcome := home.run("import", "cursor", "--yes", "--config", "tools/w.json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.content("work/tools/w.json")).To(ContainSubstring("${GIT_TOKEN}"))
	})

	It("disables a server that cannot be used, and says why", func() {
		file := home.file("work/a.json", `{"mcpServers": {"bad": {"url": "ftp://host"}, "good": {"command": "x"}}}`)
		outcome := home.run("import", file, "--yes")
		Expect(outcome.Stdout).To(ContainSubstring("it is disabled, since it cannot be used as it is: "))
		Expect(home.run("validate").Stdout).To(ContainSubstring("ok (toolboxes: 1, servers: 1)"))
	})

	It("reads the other files when one is broken", func() {
		home.file(".cursor/mcp.json", `{"mcpServers": {"a": secret-of-a}`)
		home.file(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		result := imported(home.run("import", "--yes", "--json"), Equal(1))
		Expect(result.servers()).To(Equal([]string{"tools/b"}))
		Expect(result.Unread[0].Error).To(ContainSubstring("it is not JSON"))
		Expect(result.Unread[0].Error).NotTo(ContainSubstring("secret-of"))
	})

	It("asks in a terminal", func() {
		home.file(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := RunInTerminal(home.launch("import"), Turn{Until: "[Y/n] ", Type: "yes\r"})
		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(ContainSubstring("connect --all --replace"))
		Expect(home.content(ownConfiguration)).To(ContainSubstring(`"b"`))
	})

	DescribeTable("says what is wrong", func(args []string, code int, reason string) {
		home.file("work/other.json", `{"name": "x"}`)
		home.file("work/utf16.json", "\xff\xfe{\x00}\x00")
		home.file(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := home.run(args...)
		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(home.path(ownConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry("for a slip", []string{"import", "codx"}, 2, `did you mean "codex"?`),
		Entry("for a file that is not there", []string{"import", "./nothing.json", "--yes"}, 1, "no such file"),
		Entry("for a file of something else", []string{"import", "./other.json", "--yes"}, 1, `want "mcpServers", "servers" or "mcp"`),
		Entry("for UTF-16", []string{"import", "./utf16.json", "--yes"}, 1, "it is in UTF-16"),
		Entry("for nobody to ask", []string{"import"}, 2, "run 'mcp-workbench import --yes'"),
		Entry("for a toolbox of no legal name", []string{"import", "--toolbox", "a__b", "--yes"}, 3, `a name with "__"`),
	)

	It("refuses a configuration that is broken, and leaves it", func() {
		home.file(ownConfiguration, `{"toolboxes": `)
		home.file(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := home.run("import", "--yes")
		Expect(outcome.Code).To(Equal(3))
		Expect(strings.TrimSpace(home.content(ownConfiguration))).To(Equal(`{"toolboxes":`))
	})
})
