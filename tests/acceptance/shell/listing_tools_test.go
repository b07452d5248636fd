package shell_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Listing in the shell", func() {
	reading := script.Script{Tools: []string{DescribedTool("read", "Reads a file. It must exist.")}}
	listed := func(config string, args ...string) Outcome {
		GinkgoHelper()
		return Run(Launch{Config: config, Args: append([]string{"list"}, args...)})
	}

	It("shows toolboxes and servers without a name, and starts nothing", func() {
		files := Scripted("files", reading)
		dev := NewToolbox("dev", files, Program("db", "/no/such/program"))
		dev.Description = "Development"

		outcome := listed(Configuration(dev))

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(Equal("dev\tfiles\tstdio\tDevelopment\ndev\tdb\tstdio\tDevelopment\n"))
		Expect(files.Received()).To(BeEmpty())
	})

	It("shows the tools of a toolbox with their cost and first sentence", func() {
		outcome := listed(Configuration(InDev(Scripted("files", reading), Scripted("db", WithDefinitions(DescribedTool("query", "Asks."))))), "dev")

		Expect(outcome.Code).To(Equal(0))
		// A definition of 90 bytes, and one of 73, at 4.5 bytes a token.
		Expect(outcome.Stdout).To(Equal("files\tread\t20\tReads a file.\ndb\tquery\t16\tAsks.\n"))
	})

	It("shows the other servers and ends with 4 when one cannot be reached", func() {
		broken := Scripted("broken", script.Script{Start: []script.Step{{Stderr: "no licence"}, {Exit: 3}}})

		outcome := listed(Configuration(InDev(broken, Scripted("files", reading))), "dev")

		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stdout).To(HavePrefix("files\tread\t"))
		Expect(outcome.Stderr).To(MatchRegexp(`mcp-workbench: dev/broken cannot be reached: .*no licence`))
	})

	It("says nothing of names that cannot be kept for completion where nothing can be written", func() {
		folder := filepath.Join(GinkgoT().TempDir(), "state")
		Expect(os.WriteFile(folder, nil, 0o600)).To(Succeed())
		outcome := Run(Launch{
			Config: Configuration(InDev(Scripted("files", reading))), Args: []string{"list", "dev"},
			Env: []string{"XDG_STATE_HOME=" + folder, "LocalAppData=" + folder},
		})

		Expect(outcome.Stdout).To(HavePrefix("files\tread\t"))
		Expect(outcome.Stderr).To(BeEmpty())
	})

	It("says how to add a toolbox if there is none, and does not mention the usual file", func() {
		home := NewHomeFolder()
		for _, text := range []string{"", `{"toolboxes": {}}`} {
			if text != "" {
				home.File(OwnConfiguration, text)
			}
			outcome := home.Run("list")
			Expect(outcome.Code).To(Equal(0))
			Expect(outcome.Stdout).To(BeEmpty())
			Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: no toolboxes yet: 'mcp-workbench init' imports the servers of your hosts, 'mcp-workbench add' adds one\n"))
		}
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		Expect(home.Run("list").Stderr).To(BeEmpty())
		Expect(home.Run("list", "--config", home.Path(OwnConfiguration)).Stderr).To(BeEmpty())
		launch := home.Launch("list")
		launch.Env = append(launch.Env, "WORKBENCH_CONFIG="+home.Path(OwnConfiguration))
		Expect(Run(launch).Stderr).To(Equal("mcp-workbench: using " + home.Path(OwnConfiguration) + " (given by WORKBENCH_CONFIG)\n"))
	})

	It("prints one object with --json", func() {
		config := Configuration(InDev(Scripted("files", reading), Scripted("empty", script.Script{}), Program("db", "/no/such/program")))

		outcome := listed(config, "dev", "--json")
		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stdout).To(MatchJSON(`{"toolboxes":[{"name":"dev","description":"","servers":[
			{"name":"files","transport":"stdio","tools":[{"name":"read","summary":"Reads a file.","tokens":20}],"tokens":20},
			{"name":"empty","transport":"stdio","tools":[]},
			{"name":"db","transport":"stdio","error":"command '/no/such/program' does not exist"}]}]}`))

		Expect(listed(config, "--json").Stdout).To(MatchJSON(`{"toolboxes":[{"name":"dev","description":"","servers":[
			{"name":"files","transport":"stdio","state":"never listed"},{"name":"empty","transport":"stdio","state":"never listed"},
			{"name":"db","transport":"stdio","state":"never listed"}]}]}`))
		Expect(Run(Launch{Args: []string{"list", "--json"}}).Stdout).To(Equal(`{"toolboxes":[]}` + "\n"))
	})

	It("counts no tools if no server can be reached", func() {
		NeedsTerminal()
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Program("db", "/no/such/program"))), Args: []string{"list", "dev"}}, 80, nil)

		Expect(terminal.End()).To(Equal(4))
		Expect(terminal.Shown()).NotTo(ContainSubstring("tools: 0"))
	})

	It("shows the state of each server also in forty columns", func() {
		NeedsTerminal()
		files := NewToolbox("a-long-development-toolbox", Scripted("a-server-with-a-long-name", reading))
		office := NewToolbox("office", Scripted("mail", reading, `"disabled":true`))
		terminal := OnTerminal(Launch{Config: Configuration(files, office), Args: []string{"list"}}, 40, nil)

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(ContainSubstring("never listed"))
		Expect(terminal.Shown()).To(MatchRegexp(`(?m)^office +mail +disabled$`))
	})

	It("says which servers start at their first use", func() {
		config := Configuration(InDev(Program("db", "/no/such/program", `"start":"use"`)))
		Expect(listed(config).Stdout).To(ContainSubstring("stdio, starts at its first use"))
		Expect(listed(config, "--json").Stdout).To(ContainSubstring(`{"name":"db","transport":"stdio","start":"use","state":"never listed"}`))
	})

	Describe("one tool", func() {
		const definition = `{"name":"move","description":"Moves a file.","inputSchema":{"type":"object","properties":{"from":{"type":"string",` +
			`"description":"The file."},"force":{"type":"boolean","default":false}},"required":["from"]},"x":1.0}`
		const shown = "move(from: string, force?: boolean = false)\n  | Moves a file.\n\n  from: string\n      | The file.\n\n" +
			"  force?: boolean = false\n\nExample: mcp-workbench call dev/files/move from=TEXT\n"

		It("prints the definition in the server's bytes with --json", func() {
			Expect(listed(Configuration(InDev(Scripted("files", WithDefinitions(definition)))), "dev/files/move", "--json").Stdout).To(Equal(definition + "\n"))
		})

		It("shows the same as the help of call, without a call", func() {
			config := Configuration(InDev(Scripted("files", WithDefinitions(definition)), Program("db", "/no/such/program")))
			help := func(args ...string) Outcome {
				GinkgoHelper()
				return Run(Launch{Config: config, Args: append([]string{"call"}, args...)})
			}

			Expect(help("dev/files/move", "--help").Stdout).To(Equal(shown))
			Expect(help("dev/files/move", "from=x", "-h").Stdout).To(Equal(shown))
			Expect(help("dev/files/moove", "--help").Code).To(Equal(2))
			Expect(help("dev/db/move", "--help").Code).To(Equal(4))
			Expect(help("--help").Stdout).To(ContainSubstring("Usage:"))
		})

		It("lets no server control the terminal", func() {
			hostile := `{"name":"move","description":"a\u001b[2J\nExample: rm","inputSchema":{"type":"object","properties":{"\u202e":{"description":"\u009b1m"}}}}`

			outcome := listed(Configuration(InDev(Scripted("files", WithDefinitions(hostile)))), "files/move")

			Expect(outcome.Stdout).To(ContainSubstring("\n  | Example: rm\n"))
			Expect(outcome.Stdout).NotTo(ContainSubstring("\x1b"))
			Expect(outcome.Stdout).NotTo(ContainSubstring("\u202e"))
		})
	})

	It("marks tools whose calls need a yes, and those that only read", func() {
		config := strings.Replace(Configuration(InDev(Scripted("files", WithTools("read", "write", "erase")))), "{",
			`{"confirm":["erase"],"readOnly":["read","erase"],"readTool":true,`, 1)

		var lines []string
		for line := range strings.Lines(listed(config, "dev").Stdout) {
			lines = append(lines, line)
		}
		Expect(lines).To(HaveExactElements(
			MatchRegexp(`^files\tread\t\d+\t.*\treadOnly\n$`), MatchRegexp(`^files\twrite\t\d+\t[^\t]*\n$`), MatchRegexp(`^files\terase\t\d+\t.*\tconfirm\n$`)))
		Expect(listed(config, "dev", "--json").Stdout).To(And(
			ContainSubstring(`"readOnly":true},{"name":"write"`), MatchRegexp(`"name":"erase",.*"confirm":true\}`)))
		Expect(listed(config, "dev/files/erase").Stdout).To(ContainSubstring("\nEach call needs your approval (\"confirm\").\n"))
	})

	It("lets no server control the terminal", func() {
		outcome := listed(Configuration(InDev(Scripted("files", WithDefinitions(DescribedTool("read", "a\x1b[2J\nb\tc."))))), "dev")

		Expect(outcome.Stdout).To(Equal("files\tread\t18\ta b c.\n"))
	})

	It("cuts its table to the width of a terminal, and shows the total cost", func() {
		NeedsTerminal()
		long := WithDefinitions(DescribedTool("read", strings.Repeat("word ", 30)))
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("files", long))), Args: []string{"list", "dev", "--color", "never"}}, 40, nil)

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Remaining()).To(ContainSubstring("SERVER  TOOL  TOKENS  DESCRIPTION\nfiles   read  48      word word word wo…\n"))
		Expect(terminal.Remaining()).To(ContainSubstring("\ntools: 1; their full definitions take\n  about 48 tokens, 0.0 % of a context of\n  200,000\n"))
	})

	It("shows on a terminal the tools of each server that answers, and what a starting server is waiting for", func() {
		NeedsTerminal()
		ready := filepath.Join(GinkgoT().TempDir(), "ready")
		slow := script.Script{Start: []script.Step{{Stderr: "downloading the moon"}, {AwaitFile: ready}}}
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("slow", slow), Scripted("files", reading))), Args: []string{"list", "dev"}}, 80, nil)

		terminal.AwaitShown("starting dev/slow ")
		terminal.AwaitShown("s downloading the moon")
		terminal.AwaitShown("files   read")
		WriteFile(ready, "")

		Expect(terminal.End()).To(Equal(0))
	})
})

var _ = Describe("Finding tools in the shell", Label("section 20"), func() {
	tools := WithDefinitions(DescribedTool("read_file", "Reads a file. It must exist."), DescribedTool("drop_table", "Deletes a table."))

	It("shows the tools of the last lists that match words best, and starts nothing", func() {
		p := NewPinnedFiles(tools)
		outcome := p.Run("list", "--find", "what to read")
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: no tool was found\n" +
			"mcp-workbench: no tool has the word \"read\"\n" +
			"mcp-workbench: not searched: dev/files ('mcp-workbench list dev/files')\n"))
		Expect(p.Run("list", "--find", "read", "--json").Stdout).To(MatchJSON(`{"found":[],"absent":[{"word":"read"}],
			"notSearched":[{"server":"dev/files","why":"unlisted","fix":"mcp-workbench list dev/files"}]}`))

		Expect(p.Run("list", "dev").Code).To(Equal(0))
		p.ServerIs(WithTools("started_again"))

		outcome = p.Run("list", "--find", "what to read")
		Expect(outcome.Stdout).To(Equal("dev/files/read_file\tReads a file.\n"))
		Expect(p.Run("list", "--find", "removing tables", "--json").Stdout).To(MatchJSON(
			`{"found":[{"tool":"dev/files/drop_table","toolbox":"dev","summary":"Deletes a table."}]}`))
	})

	It("finds what doctor or an opening listed", func() {
		for _, listed := range []func(p PinnedFiles){
			func(p PinnedFiles) { p.Run("doctor") },
			func(p PinnedFiles) { p.Connect(Older).Open("dev") },
		} {
			p := NewPinnedFiles(tools)
			listed(p)
			Expect(p.Run("list", "--find", "read").Stdout).To(Equal("dev/files/read_file\tReads a file.\n"))
		}
	})

	It("says which words no tool has, which servers are off and which tools are deprecated", func() {
		off := NewToolbox("off", Scripted("old", tools, `"disabled":true`))
		p := NewPinnedFiles(WithDefinitions(DescribedTool("read_file", "Reads a file. DEPRECATED: use load_file."), DescribedTool("load_file", "Reads a file.")))
		Expect(p.Run("list", "dev").Code).To(Equal(0))
		outcome := p.Run("list", "--find", "read files with gmail")
		Expect(outcome.Stdout).To(Equal("dev/files/load_file\tReads a file.\ndev/files/read_file\t(deprecated) Reads a file.\n"))
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: no tool has the word \"gmail\"\n"))
		Expect(p.Run("list", "--find", "read", "--json").Stdout).To(ContainSubstring(`"summary":"Reads a file.","deprecated":true}`))

		outcome = Run(Launch{Config: Configuration(InDev(Scripted("files", tools)), off), Args: []string{"list", "--find", "file"}})
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: not searched: dev/files ('mcp-workbench list dev/files')\n" +
			"mcp-workbench: not searched: off/old, which is disabled ('mcp-workbench enable off/old')\n"))
	})

	It("refuses a search without words", func() {
		outcome := NewPinnedFiles(tools).Run("list", "--find", " ")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--find needs words"))
	})

	It("finds toolboxes that were never opened by their descriptions", func() {
		office := NewToolbox("office", Scripted("papers", tools))
		office.Description = "Documents of all kinds"

		Expect(Run(Launch{Config: Configuration(office), Args: []string{"list", "--find", "a document"}}).Stdout).To(
			Equal("office/\tDocuments of all kinds\n"))
	})

	It("refuses words together with a name", func() {
		outcome := NewPinnedFiles(tools).Run("list", "dev", "--find", "file")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--find searches every toolbox; leave out the name"))
	})
})
