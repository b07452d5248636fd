package shell_test

import (
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
		Expect(files.Heard()).To(BeEmpty())
	})

	It("shows the tools of a toolbox with their cost and first sentence", func() {
		outcome := listed(Configuration(InDev(Scripted("files", reading), Scripted("db", WithDefinitions(DescribedTool("query", "Asks."))))), "dev")

		Expect(outcome.Code).To(Equal(0))
		// A definition of 90 bytes, and one of 73, at 4.5 bytes a token.
		Expect(outcome.Stdout).To(Equal("files\tread\t20\tReads a file.\ndb\tquery\t16\tAsks.\n"))
	})

	It("starts only the server that is named", func() {
		files, db := Scripted("files", reading), Scripted("db", reading)

		outcome := listed(Configuration(InDev(files, db)), "dev/db")

		Expect(outcome.Stdout).To(HavePrefix("db\tread\t"))
		Expect(files.Heard()).To(BeEmpty())
		Expect(db.Starts()).To(Equal(1))
	})

	It("shows what it can and ends with 4 when a server cannot be reached", func() {
		broken := Scripted("broken", script.Script{Start: []script.Step{{Stderr: "no licence"}, {Exit: 3}}})

		outcome := listed(Configuration(InDev(broken, Scripted("files", reading))), "dev")

		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stdout).To(HavePrefix("files\tread\t"))
		Expect(outcome.Stderr).To(MatchRegexp(`mcp-workbench: dev/broken cannot be reached: .*no licence`))
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
			{"name":"files","transport":"stdio"},{"name":"empty","transport":"stdio"},{"name":"db","transport":"stdio"}]}]}`))
		Expect(Run(Launch{Args: []string{"list", "--json"}}).Stdout).To(Equal(`{"toolboxes":[]}` + "\n"))
	})

	DescribeTable("names what was meant when a name is wrong, and ends with 2",
		func(name, message string) {
			outcome := listed(Configuration(InDev(Scripted("files", reading))), name)

			Expect(outcome.Code).To(Equal(2))
			Expect(outcome.Stdout).To(BeEmpty())
			Expect(outcome.Stderr).To(ContainSubstring(message))
		},
		Entry(nil, "den", `toolbox "den" not found; did you mean 'dev'?`),
		Entry(nil, "production", `toolbox "production" not found; there is dev`),
		Entry(nil, "dev/file", `server "file" not found in toolbox "dev"; did you mean 'files'?`),
		Entry(nil, "dev/files/read", `not "read"; call uses it`),
	)

	It("finds names with slashes in them", func() {
		outcome := listed(Configuration(NewToolbox("a/b", Scripted("c/d", reading))), "a/b/c/d")

		Expect(outcome.Stdout).To(HavePrefix("c/d\tread\t"))
	})

	It("warns of what is odd about the tools", func() {
		outcome := listed(Configuration(InDev(Scripted("files", WithDefinitions(script.Tool("read"), script.Tool("read"))))), "dev")

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stderr).To(ContainSubstring("warning: Server 'files': tool 'read' is listed more than once"))
	})

	It("lets no server control the terminal", func() {
		outcome := listed(Configuration(InDev(Scripted("files", WithDefinitions(DescribedTool("read", "a\x1b[2J\nb\tc."))))), "dev")

		Expect(outcome.Stdout).To(Equal("files\tread\t18\ta b c.\n"))
	})

	It("cuts its table to the width of a terminal, and says what all cost", func() {
		NeedsTerminal()
		long := WithDefinitions(DescribedTool("read", strings.Repeat("word ", 30)))
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("files", long))), Args: []string{"list", "dev", "--color", "never"}}, 40, nil)

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(ContainSubstring("SERVER  TOOL  TOKENS  DESCRIPTION\nfiles   read  48      word word word wo…\n"))
		Expect(terminal.Shown()).To(ContainSubstring("tools: 1; in full their definitions take about 48 tokens, 0.0 % of a context of 200,000"))
	})

	It("shows on a terminal what a server that starts is waiting for", func() {
		NeedsTerminal()
		ready := filepath.Join(GinkgoT().TempDir(), "ready")
		slow := script.Script{Start: []script.Step{{Stderr: "downloading the moon"}, {AwaitFile: ready}}}
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("slow", slow))), Args: []string{"list", "dev"}}, 80, nil)

		terminal.AwaitShown("starting dev/slow ")
		terminal.AwaitShown("s downloading the moon")
		WriteFile(ready, "")

		Expect(terminal.End()).To(Equal(0))
	})
})
