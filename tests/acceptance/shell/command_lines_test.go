package shell_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
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
		Entry(nil, "remove", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench remove NAME | TOOLBOX/NAME | TOOLBOX'`),
		Entry(nil, "login", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench login TOOLBOX/SERVER'`),
		Entry(nil, "logout", 2, `name a server; 'mcp-workbench list' shows servers; use 'mcp-workbench logout TOOLBOX/SERVER'`),
		Entry(nil, "login --list files/web", 2, `--list shows every login, so it takes no server`),
		Entry(nil, "add-json", 2, `name the server, and write its settings as JSON; use 'mcp-workbench add-json [NAME] JSON'`),
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

var _ = Describe("Saying the version", func() {
	It("prints the same with the flag and with the command", func() {
		outcome := Run(Launch{Args: []string{"version"}})

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome).To(Equal(Run(Launch{Args: []string{"--version"}})))
	})

	It("prints with --json what the program was built from and for", func() {
		outcome := Run(Launch{Args: []string{"version", "--json"}})

		Expect(outcome.Code).To(Equal(0))
		var version struct {
			Version, GoVersion, Platform string
			Commit                       *string
			ProtocolVersions             []string
		}
		Expect(json.Unmarshal([]byte(outcome.Stdout), &version)).To(Succeed())
		flag := strings.TrimSpace(Run(Launch{Args: []string{"--version"}}).Stdout)
		Expect("mcp-workbench " + version.Version).To(Equal(flag))
		Expect(version.Commit).NotTo(BeNil())
		Expect(version.GoVersion).To(Equal(runtime.Version()))
		Expect(version.Platform).To(Equal(runtime.GOOS + "/" + runtime.GOARCH))
		Expect(version.ProtocolVersions).To(ContainElements("2024-11-05", "2025-11-25", "2026-07-28"))
	})
})

var _ = Describe("The program without a command", func() {
	It("says in a terminal that it waits for a host, and what to try", func() {
		NeedsTerminal()
		terminal := OnTerminal(Launch{Config: `{"toolboxes": {}}`}, 80, nil)
		terminal.AwaitShown("this is an MCP server. It waits for a host on standard input")
		terminal.AwaitShown("mcp-workbench init")
		terminal.AwaitShown("mcp-workbench demo")
		terminal.Type("\x03")
		Expect(terminal.End()).To(Equal(0))
	})

	It("does not say that to a host", func() {
		outcome := Run(Launch{Config: `{"toolboxes": {}}`})
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).NotTo(ContainSubstring("waits"))
	})
})

var _ = Describe("Reading a help topic", func() {
	It("shows a list of its sections, and single sections", func() {
		topic := Run(Launch{Args: []string{"help", "configuration"}})
		Expect(topic.Code).To(BeZero())
		Expect(topic.Stdout).To(And(HavePrefix("# Configuration\n\nSections, for 'mcp-workbench help configuration SECTION':\n"), ContainSubstring("\n- Limits\n")))

		section := Run(Launch{Args: []string{"help", "configuration", "limits"}})
		Expect(section.Code).To(BeZero())
		Expect(section.Stdout).To(HavePrefix("## Limits\n"))
		Expect(topic.Stdout).To(ContainSubstring(section.Stdout))
	})

	It("shows it in the pager of the user if it is longer than the terminal", func() {
		NeedsTerminal()
		directory := GinkgoT().TempDir()
		pager := filepath.Join(directory, "pager")
		Expect(os.WriteFile(pager, []byte("#!/bin/sh\nsed 's/^/paged: /'\n"), 0o700)).To(Succeed())
		help := func(pager string, words ...string) string {
			outcome := RunInTerminal(Launch{Args: append([]string{"help"}, words...), Env: []string{"PAGER=" + pager}})
			Expect(outcome.Code).To(BeZero(), outcome.Stdout)
			return outcome.Stdout
		}

		Expect(help(pager, "configuration")).To(And(HavePrefix("paged: # Configuration\n"), ContainSubstring("paged: ## Limits\n")))
		Expect(help(pager, "configuration", "patterns of tools")).To(HavePrefix("## Patterns of tools\n"), "it fits the terminal")
		for _, none := range []string{"", "cat", filepath.Join(directory, "missing")} {
			Expect(help(none, "configuration")).To(HavePrefix("# Configuration\n"), "PAGER=%s", none)
		}
	})
})

var _ = Describe("The output of commands", func() {
	const red, green, yellow, normal = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"

	DescribeTable("has colours only in a terminal and with --color always", func(config, command, painted string) {
		run := func(flags ...string) string {
			GinkgoHelper()
			return Run(Launch{Config: config, Args: append([]string{command}, flags...)}).Stdout
		}
		Expect(run("--color", "always")).To(ContainSubstring(painted))
		Expect(run()).NotTo(ContainSubstring("\x1b["))
	},
		Entry("for a valid configuration", `{"toolboxes":{}}`, "validate", ": "+green+"ok"+normal),
		Entry("for a warning",
			`{"toolboxes":{"d":{"mcpServers":{"s":{"command":"/c","timeout":1}}}}}`, "validate", yellow+"warning:"+normal),
		Entry("for a mistake", `{"toolboxes":1}`, "validate", red),
		Entry("for a finding", `{"toolboxes":{"d":{"mcpServers":{"s":{"command":"no-such"}}}}}`, "doctor", yellow+"D003"+normal),
		Entry("for no problems", `{"toolboxes":{}}`, "doctor", green+"no problems found"+normal+" ("),
	)
})

var _ = Describe("lock --json", func() {
	It("prints the differences as one object", func() {
		p := NewPinnedFiles(WithDefinitions(DescribedTool("read", "Read.")))
		locked := p.Run("lock", "--json")
		Expect(locked.Code).To(Equal(0))
		var result map[string]any
		Expect(json.Unmarshal([]byte(locked.Stdout), &result)).To(Succeed())
		Expect(result).To(And(HaveKeyWithValue("file", p.Lock), HaveKeyWithValue("written", true), HaveKeyWithValue("tools", 1.0)))

		p.ServerIs(WithDefinitions(DescribedTool("read", "Write."), DescribedTool("more", "More.")))
		checked := p.Run("lock", "--check", "--json")

		Expect(checked.Code).To(Equal(1))
		Expect(checked.Stdout).To(ContainSubstring(`"written":false,"fits":false,"tools":2,"differences":[` +
			`{"toolbox":"dev","server":"files","tool":"more","kind":"added"},{"toolbox":"dev","server":"files","tool":"read","kind":"changed"}]`))
		Expect(p.Locked()).NotTo(ContainSubstring("More."))
	})

	It("names servers that cannot be reached, and a lock that cannot be used", func() {
		p := NewPinnedFiles(script.Script{Start: []script.Step{{Exit: 3}}})
		WriteFile(p.Lock, "{")

		outcome := p.Run("lock", "--check", "--json")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(And(ContainSubstring(`"error":"`), MatchRegexp(`"unreachable":\[\{"toolbox":"dev","server":"files","error":".*exit code 3`)))
	})
})
