package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A command line that is wrong", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	DescribeTable("is told what is wrong with it and what to run next", func(line string, code int, message string) {
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
		Entry(nil, "zzz", 2, `unknown command "zzz" for "mcp-workbench"; there are add, call, completion`),
		Entry(nil, "validate c.json", 2, `unknown argument "c.json": 'mcp-workbench validate' takes none`),
		Entry(nil, "list a b", 2, `unknown argument "b"; use 'mcp-workbench list [TOOLBOX[/SERVER]]'`),
		Entry(nil, "call", 2, `an argument is missing; use 'mcp-workbench call TOOLBOX/SERVER/TOOL`),
		Entry(nil, "remove", 2, `an argument is missing; use 'mcp-workbench remove NAME | TOOLBOX/NAME'`),
		Entry(nil, "add x", 2, `'mcp-workbench add x -- COMMAND ARGS…' or 'mcp-workbench add x URL'`),
		Entry(nil, "connect", 2, `name a host (claude-desktop, `),
		Entry(nil, "import curser", 2, `unknown host "curser"; did you mean 'cursor'?`),
		Entry(nil, "list --color blue", 2, `--color "blue": use auto, always, never`),
		Entry(nil, "call files/fs/read", 2, `there is none: 'mcp-workbench init' imports the servers of hosts, and 'mcp-workbench add' adds one`),
		Entry(nil, "lock", 3, `run 'mcp-workbench init' to create one`),
		Entry(nil, "connect cursor", 3, `run 'mcp-workbench init' to create one`),
		Entry(nil, "remove fs", 1, `workbench-config.json: it has none`),
		Entry(nil, "--config no.json list", 3, `no.json' creates it`),
	)
})
