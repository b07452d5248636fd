package hosts_test

import (
	"encoding/json"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// importResult is the output of import with --json.
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
	var names []string
	for _, server := range r.Imported {
		names = append(names, server.Toolbox+"/"+server.Server)
	}
	return names
}

var _ = Describe("Importing servers", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	imported := func(outcome Outcome, code types.GomegaMatcher) importResult {
		GinkgoHelper()
		Expect(outcome.Code).To(code, outcome.Stderr)
		var result importResult
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed(), outcome.Stdout)
		return result
	}

	It("suggests the next command for the same configuration", func() {
		outcome := home.Run("import", "--yes", "--config", "my file.json", home.File("mcp.json", `{"mcpServers": {"git": {"command": "git-mcp"}}}`))

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(HaveSuffix(": written. Next: `mcp-workbench --config 'my file.json' connect --all --replace`\n"))
	})

	It("imports the servers of every host once, into toolboxes that fit", func() {
		home.File(".config/Claude/claude_desktop_config.json", `{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/x"]}}}`)
		home.File(".claude.json", `{"oauth": "s", "mcpServers": {"hub": {"type": "http", "url": "https://api.github.com/mcp", "headers": {"Authorization": "Bearer ${HUB}"}}},
			"projects": {"`+home.Path("work")+`": {"mcpServers": {"mine": {"command": "mine"}}}}}`)
		home.File("work/.mcp.json", `{"mcpServers": {"team": {"command": "team"}}}`)
		home.File(".cursor/mcp.json", "\ufeff{\r\n  // of Windows\r\n  \"mcpServers\": {\"same\": {\"command\": \"npx\", \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/x\"]},},\r\n}")
		home.File(".config/Code/User/mcp.json", `{"servers": {"db": {"command": "uvx", "args": ["postgres-mcp"], "env": {"URI": "${input:db-uri}"}}}, "inputs": [{"id": "db-uri"}]}`)
		home.File(".codeium/windsurf/mcp_config.json", `{"mcpServers": {"pw": {"command": "npx", "args": ["@playwright/mcp"], "disabledTools": ["close"], "disabled": true}}}`)
		home.File(".codex/config.toml", "[mcp_servers.search]\ncommand = \"uvx\"\nargs = [\"mcp-server-fetch\"]\nenabled_tools = [\"fetch\"]\n")
		home.File(".gemini/settings.json", `{"mcpServers": {"mem": {"command": "npx", "args": ["@modelcontextprotocol/server-memory"], "env": {"FILE": "$MEMORY_FILE"}}}}`)
		home.File(".config/opencode/opencode.json", `{"mcp": {"k": {"type": "local", "command": ["npx", "mcp-server-kubernetes"], "enabled": true}, "wb": {"type": "local", "command": ["/x/mcp-workbench"]}}}`)

		result := imported(home.Run("import", "--yes", "--json"), Equal(0))

		Expect(result.servers()).To(ConsistOf(
			"files/fs", "code/hub", "mine/mine", "data/db", "web/search", "memory/mem", "cloud/k", "browser/pw",
		))
		Expect(result.Left).To(ConsistOf(
			HaveField("Reason", ContainSubstring(`the same as "fs"`)),
			HaveField("Reason", "it is the workbench itself"),
			HaveField("Reason", "it belongs to the project in this folder; 'mcp-workbench import claude-code' imports it"),
		))
		Expect(result).To(And(HaveField("Created", true), HaveField("Written", true)))

		Expect(spec.Must(os.Stat(result.File)).Mode().Perm()).To(BeEquivalentTo(0o600))
		text := home.Content(OwnConfiguration)
		for _, part := range []string{`"Bearer ${HUB}"`, `"${DB_URI}"`, `"!close"`, `"disabled": true`, `"fetch"`, `"${MEMORY_FILE}"`} {
			Expect(text).To(ContainSubstring(part))
		}
		Expect(home.Run("validate").Code).To(Equal(0))

		again := imported(home.Run("import", "--yes", "--json"), Equal(0))
		Expect(again.Changes).To(BeFalse())
		Expect(home.Content(OwnConfiguration)).To(Equal(text))
	})

	It("imports the servers of a project when their host is named, and otherwise only after a question", Label("TT07"), func() {
		home.File("work/.mcp.json", `{"mcpServers": {"planted": {"command": "planted"}}}`)

		Expect(imported(home.Run("import", "--yes", "--json"), Equal(0)).Imported).To(BeEmpty())
		Expect(imported(home.Run("import", "claude-code", "--yes", "--json"), Equal(0)).servers()).To(Equal([]string{"planted/planted"}))
	})

	It("keeps the comments of the configuration, and puts servers into the given toolbox", func() {
		before := "{\n  // mine\n  \"toolboxes\": {\n    \"a\": {\"mcpServers\": {\"s\": {\"command\": \"x\"}}} // last\n  }\n}\n"
		home.File(OwnConfiguration, before)
		pasted := home.File("work/pasted.json", `{"mcpServers": {"one": {"command": "one"} /* more */, "s": {"command": "two"}}}`)

		outcome := home.Run("import", pasted, "--toolbox", "a", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(`note: its name here is "s-2"`))
		after := home.Content(OwnConfiguration)
		Expect(after).To(And(ContainSubstring("// mine"), ContainSubstring("// last"), ContainSubstring(`"s-2"`)))
		Expect(home.Content("work/pasted.json")).To(ContainSubstring("/* more */"))
	})

	It("reads the manifest of a plugin of a host, which is no Agent Plugin", func() {
		manifest := home.File("work/p/.claude-plugin/plugin.json", `{"name": "p", "mcpServers": {"a": {"command": "./run", "args": ["${CLAUDE_PLUGIN_ROOT}/x"]}}}`)

		outcome := home.Run("import", manifest, "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(OwnConfiguration)).To(ContainSubstring(home.Path("work/p") + "/x"))
	})

	Describe("with secrets", func() {
		const file = `{"mcpServers": {"git": {"command": "git", "env": {"GIT_TOKEN": "secret-of-git"}},
			"api": {"url": "https://host/mcp?key=secret-of-address", "headers": {"Authorization": "Bearer secret-of-header"}}}}`

		It("never prints one, and tells how to move it to the environment", func() {
			home.File(".cursor/mcp.json", file)

			outcome := home.Run("import", "cursor", "--yes")

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(And(ContainSubstring("export GIT_TOKEN=…"), ContainSubstring(`export API_AUTHORIZATION=…   and "Bearer ${API_AUTHORIZATION}" in headers`)))
			Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring("secret-of-git"), ContainSubstring("secret-of-header")))
		})

		It("makes a configuration private that others can read", func() {
			path := home.File(OwnConfiguration, `{"toolboxes": {}}`)
			Expect(os.Chmod(path, 0o644)).To(Succeed())
			home.File(".cursor/mcp.json", file)
			Expect(home.Run("import", "cursor", "--yes").Code).To(Equal(0))
			Expect(spec.Must(os.Stat(path)).Mode().Perm()).To(BeEquivalentTo(0o600))
		})

		It("writes none into the configuration of a project", func() {
			home.File(".cursor/mcp.json", file)
			home.File("work/workbench-config.json", "{\n  \"toolboxes\": {}\n}\n")

			outcome := home.Run("import", "cursor", "--yes")

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(home.Content("work/workbench-config.json")).To(ContainSubstring(`"GIT_TOKEN": "${GIT_TOKEN}"`))
			Expect(home.Content("work/workbench-config.json")).NotTo(ContainSubstring("secret-of"))
			Expect(outcome.Stdout).To(ContainSubstring("the configuration belongs to a project"))
		})
	})

	It("treats a configuration in a repository as one of a project", func() {
		home.File(".cursor/mcp.json", `{"mcpServers": {"git": {"command": "git", "env": {"GIT_TOKEN": "secret-of-git"}}}}`)
		home.File("work/.git/HEAD", "ref: refs/heads/main\n")
		outcome := home.Run("import", "cursor", "--yes", "--config", "tools/w.json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content("work/tools/w.json")).To(ContainSubstring("${GIT_TOKEN}"))
	})

	It("asks in a terminal", func() {
		home.File(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := RunInTerminal(home.Launch("import"), Turn{Until: "[y/N] ", Type: "yes\r"})
		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(ContainSubstring("connect --all --replace"))
		Expect(home.Content(OwnConfiguration)).To(ContainSubstring(`"b"`))
	})

	DescribeTable("says what is wrong", func(args []string, code int, reason string) {
		home.File("work/other.json", `{"name": "x"}`)
		home.File("work/utf16.json", "\xff\xfe{\x00}\x00")
		home.File(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry("for a misspelt host", []string{"import", "codx"}, 2, `did you mean 'codex'?`),
		Entry("for a file that does not exist", []string{"import", "./nothing.json", "--yes"}, 1, "no such file"),
		Entry("for a run without a terminal to ask in", []string{"import"}, 2, "run 'mcp-workbench import --yes'"),
	)

	It("refuses a broken configuration, and does not change it", func() {
		home.File(OwnConfiguration, `{"toolboxes": `)
		home.File(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n")
		outcome := home.Run("import", "--yes")
		Expect(outcome.Code).To(Equal(3))
		Expect(strings.TrimSpace(home.Content(OwnConfiguration))).To(Equal(`{"toolboxes":`))
	})
})

var _ = Describe("Importing the logins of hosts", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	const remote = `{"mcpServers": {"crm": {"httpUrl": "https://host.invalid/mcp",
		"oauth": {"clientId": "the-client", "clientSecret": "secret-of-client", "scopes": ["read"], "tokenUrl": "https://host.invalid/t"}}}}`

	It("creates a configuration that can be used, and never prints a secret", func() {
		home.File(".gemini/settings.json", remote)

		outcome := home.Run("import", "gemini", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(outcome.Stdout).To(And(ContainSubstring(`"oauth.tokenUrl" has no counterpart`), ContainSubstring("export CRM_CLIENT_SECRET=…")))
		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"the-client"`), ContainSubstring(`"secret-of-client"`), Not(ContainSubstring("disabled"))))
		Expect(home.Run("validate").Code).To(Equal(0))
	})

	It("restores the bytes of the host after its server was replaced", func() {
		home.File(".gemini/settings.json", remote)
		Expect(home.Run("import", "gemini", "--yes").Code).To(Equal(0))

		connected := home.Run("connect", "gemini", "--replace", "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(connected.Stdout + connected.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(".gemini/settings.json")).NotTo(ContainSubstring("crm"))

		Expect(home.Run("disconnect", "gemini", "--yes").Code).To(Equal(0))
		Expect(home.Content(".gemini/settings.json")).To(Equal(remote))
	})
})
