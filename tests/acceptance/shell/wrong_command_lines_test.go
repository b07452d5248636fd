package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A wrong command line", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	DescribeTable("causes a message about what is wrong and what to run next", func(line string, code int, message string) {
		outcome := home.Run(strings.Fields(line)...)

		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(ContainSubstring(message))
		if code == 2 && !strings.Contains(line, "/") {
			command, _, _ := strings.Cut(line, " ")
			Expect(outcome.Stderr).To(Or(HaveSuffix("See 'mcp-workbench --help'.\n"), HaveSuffix("See 'mcp-workbench "+command+" --help'.\n")))
		}
	},
		Entry(nil, "validat", 2, `unknown command "validat" for "mcp-workbench"; did you mean 'validate'?`),
		Entry(nil, "zzz", 2, `unknown command "zzz" for "mcp-workbench"; 'mcp-workbench help' lists the commands`),
		Entry(nil, "install", 2, "run 'mcp-workbench add NAME -- COMMAND ARGS…'"),
		Entry(nil, "claude", 2, "run 'mcp-workbench connect claude-code' or 'mcp-workbench connect claude-desktop'"),
		Entry(nil, "doctor c.json", 2, `unknown argument "c.json": 'mcp-workbench doctor' takes none; for another configuration use 'mcp-workbench doctor --config c.json'`),
		Entry(nil, "c.json", 2, `unknown command "c.json" for "mcp-workbench"; for another configuration use 'mcp-workbench --config c.json'`),
		Entry(nil, "validate c.json d.json", 2, `unknown argument "d.json"; use 'mcp-workbench validate [FILE]'`),
		Entry(nil, "validate c.json --config d.json", 2, `name the file once: after --config, or without it`),
		Entry(nil, "list a b", 2, `unknown argument "b"; use 'mcp-workbench list [TOOLBOX[/SERVER[/TOOL]]]'`),
		Entry(nil, "call", 2, `name a tool; 'mcp-workbench list TOOLBOX' shows tools; use 'mcp-workbench call TOOLBOX/SERVER/TOOL`),
		Entry(nil, "remove", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench remove NAME | TOOLBOX/NAME'`),
		Entry(nil, "login", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench login TOOLBOX/SERVER'`),
		Entry(nil, "logout", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench logout TOOLBOX/SERVER'`),
		Entry(nil, "login --list files/web", 2, `--list shows every login, so it takes no server`),
		Entry(nil, "add-json", 2, `name the server, and write its settings as JSON; use 'mcp-workbench add-json NAME JSON'`),
		Entry(nil, "list --jsn", 2, `unknown flag --jsn; did you mean '--json'?`),
		Entry(nil, "add x", 2, `'mcp-workbench add x -- COMMAND ARGS…' or 'mcp-workbench add x URL'`),
		Entry(nil, "connect", 2, `name a host (claude-desktop, `),
		Entry(nil, "import curser", 2, `unknown host "curser"; did you mean 'cursor'?`),
		Entry(nil, "list --color blue", 2, `--color "blue": use auto, always, never`),
		Entry(nil, "call files/fs/read", 2, `there is none; 'mcp-workbench init' imports the servers of hosts, and 'mcp-workbench add' adds one`),
		Entry(nil, "lock", 3, `run 'mcp-workbench init' to create one`),
		Entry(nil, "connect cursor", 3, `run 'mcp-workbench init' to create one`),
		Entry(nil, "remove fs", 1, `workbench-config.json: no server "fs" is configured; there is none`),
		Entry(nil, "--config no.json list", 3, `no.json' creates it`),
	)

	It("does not include a file after validate, which is checked as with --config", func() {
		home.File("work/other.json", `{"toolboxes": {"dev": {"mcpServers": {"s": {"command": "x"}}}}}`)

		Expect(home.Run("validate", "other.json").Stdout).To(ContainSubstring("ok (toolboxes: 1, servers: 1)"))
		Expect(home.Run("validate", "other.json").Stdout).To(Equal(home.Run("validate", "--config", "other.json").Stdout))
		Expect(home.Run("validate", "missing.json").Code).To(Equal(3))
	})
})
