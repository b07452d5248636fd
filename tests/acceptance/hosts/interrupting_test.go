package hosts_test

import (
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Ctrl-C", func() {
	const interrupt, down = "\x03", "\x1b[B"
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(".codex/config.toml", codexFile)
		home.File(".cursor/mcp.json", CursorFile)
	})

	DescribeTable("ends every question in one way, and nothing is written", func(line []string, configured bool, turns ...Turn) {
		if configured {
			home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"]}}`)
		}
		outcome := RunInTerminal(home.Launch(line...), append(turns, Turn{Type: interrupt})...)

		Expect(outcome.Code).To(Equal(130), outcome.Stdout)
		Expect(outcome.Stdout).To(MatchRegexp(`(\n|\x1b\[J)mcp-workbench: interrupted\n(.*\n)?$`))
		Expect(home.Content(".codex/config.toml")).To(Equal(codexFile))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
		if !configured {
			Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
		}
	},
		Entry("which servers", []string{"init"}, false, Turn{Until: "3 of 3 chosen"}),
		Entry("whether to write the configuration", []string{"init"}, false, Turn{Until: "chosen", Type: "\r"}, noBackground, Turn{Until: "[Y/n] "}),
		Entry("whether to import", []string{"import"}, false, Turn{Until: "[y/N] "}),
		Entry("whether to connect", []string{"connect", "cursor"}, true, Turn{Until: "[y/N] "}),
	)

	DescribeTable("is not the only signal that ends a list and restores the terminal", func(end syscall.Signal) {
		NeedsTerminal()
		t := OnTerminal(home.Launch("init"), 80, nil)
		t.AwaitShown("3 of 3 chosen")
		Expect(t.Mode()).NotTo(Equal(FirstMode()))

		t.Signal(end)

		Eventually(t.Mode).WithTimeout(Patience).Should(Equal(FirstMode()))
		Expect(t.End()).To(Equal(-1), "a signal ended it")
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry("SIGTERM does too", syscall.SIGTERM),
		Entry("SIGHUP does too", syscall.SIGHUP),
	)

	It("takes effect even if y was typed before the question", func() {
		launch := home.Launch("import")
		launch.Typed = "y\ry\r\r"
		outcome := RunInTerminal(launch, Turn{Until: "[y/N] ", Type: interrupt})

		Expect(outcome.Code).To(Equal(130))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	})

	It("leaves what was written and says how to continue, and the next init continues", func() {
		first := RunInTerminal(home.Launch("init"),
			Turn{Until: "chosen", Type: "\r"}, noBackground, Turn{Until: "[Y/n] ", Type: "y\r"}, Turn{Until: "Which hosts"}, Turn{Until: "2 of 2 chosen", Type: interrupt})
		configuration := home.Content(OwnConfiguration)
		second := RunInTerminal(home.Launch("init"),
			Turn{Until: "Which hosts"}, Turn{Until: "2 of 2 chosen", Type: "\r"}, Turn{Until: "[Y/n] ", Type: "\r"}, Turn{Until: "[Y/n] ", Type: interrupt})
		third := RunInTerminal(home.Launch("init"),
			Turn{Until: "Which hosts"}, Turn{Until: "2 of 2 chosen", Type: "\r"}, Turn{Until: "[Y/n] ", Type: "n\r"})

		Expect(first.Code).To(Equal(130))
		Expect(first.Stdout).To(HaveSuffix(home.Path(OwnConfiguration) + ": written, with 3 servers. 'mcp-workbench init' continues with the hosts.\n"))
		Expect(second.Code).To(Equal(130))
		Expect(second.Stdout).To(ContainSubstring(home.Path(OwnConfiguration) + " exists and stays as it is"))
		Expect(second.Stdout).To(And(ContainSubstring("  Cursor: after a restart"), ContainSubstring("  Codex: not changed"),
			HaveSuffix("'mcp-workbench init' continues with the hosts.\n")))
		Expect(third.Code).To(Equal(0))
		Expect(third.Stdout).To(HaveSuffix("What was done:\n  " + home.Path(OwnConfiguration) + ": unchanged.\n  Cursor: nothing to change.\n" +
			"  Codex: not changed; to connect, run 'mcp-workbench connect codex --replace'.\n'mcp-workbench disconnect --all' restores the files of the hosts.\n" +
			"\"Don't ask again\" for use_tool in a host holds for every tool of every server: \"confirm\" names tools to ask about each time, " +
			"and \"readTool\" lets only those pass that read ('mcp-workbench help approvals').\n" +
			"Say to the host: \"Open my toolboxes and tell me what you can do with them.\" 'mcp-workbench doctor' finds what does not work.\n" +
			"A model chooses toolboxes by their descriptions; 'mcp-workbench describe TOOLBOX TEXT' changes one.\n" +
			"web-server: no description. 'mcp-workbench describe web-server TEXT' gives one; until then the model sees what the servers say of themselves, once they were opened.\n"))
		Expect(home.Content(OwnConfiguration)).To(Equal(configuration))
		Expect(home.Content(".codex/config.toml")).To(Equal(codexFile))
	})

	It("tells servers apart that are nearly the same, and chooses one of them", func() {
		home.File(".cursor/mcp.json", `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`)
		home.File(".codex/config.toml", "[mcp_servers.notes]\ncommand = \"notes-mcp\"\nenv = { FOLDER = \"/x\" }\n")

		outcome := RunInTerminal(home.Launch("init", "--color", "never"), Turn{Until: "1 of 2 chosen", Type: interrupt})

		Expect(outcome.Stdout).To(ContainSubstring("[ ] office/notes-2  from Codex, like office/notes, but for env.FOLDER"))
	})

	It("changes the toolbox of a server before that", func() {
		outcome := RunInTerminal(home.Launch("init", "--color", "never"),
			Turn{Until: "> [x] code/git  from", Type: "\tvcs\r"},
			Turn{Until: "> [x] vcs/git  from", Type: down + "\r"},
			noBackground,
			Turn{Until: "[Y/n] ", Type: "y\r"},
			Turn{Until: "Which hosts", Type: interrupt})

		Expect(outcome.Code).To(Equal(130))
		Expect(home.Content(OwnConfiguration)).To(ContainSubstring(`"vcs"`))
	})
})
