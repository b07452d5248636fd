package shell_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// deceit has one of every kind of character that controls a terminal, or reorders or hides text.
const deceit = "x\x1b[2J\x1b[31m\u009b2J\u009d0;t\u009c\x7f\u0085\u202e\u2066\u200b\u00ad\u2028\ufeff\U000e0041y"

// shownDeceit is how the user sees the part of it that models are shown too.
const shownDeceit = `\u009b2J\u009d0;t\u009c\u007f\u0085\u202e\u2066\u200b\u00ad\u2028\ufeff`

// stripped returns what was shown without the workbench's own colours and status lines.
var stripped = strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[36m", "",
	"\r\x1b[2K", "", "\x1b[1A", "")

// unseen returns the characters of the output that a user does not see.
func unseen(shown string) []string {
	var found []string
	for _, r := range stripped.Replace(shown) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' || r == unicode.ReplacementChar {
			found = append(found, fmt.Sprintf("%U", r))
		}
	}
	return found
}

func jsonText(text string) string {
	GinkgoHelper()
	quoted, err := json.Marshal(text)
	Expect(err).NotTo(HaveOccurred())
	return string(quoted)
}

var _ = Describe("Text that would deceive the user at a terminal", Label("TE01"), func() {
	BeforeEach(NeedsTerminal)
	onTerminal := func(s script.Script, args ...string) string {
		GinkgoHelper()
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("files", s))), Args: args}, 2000, nil)
		terminal.End()
		return terminal.Shown()
	}
	ending := script.Script{Start: []script.Step{{Stderr: "why: " + deceit}, {Exit: 3}}}
	named := WithTools("read", deceit)
	answering := WithTools("read")
	answering.Rules = []script.Rule{script.Answer("", `{"content":[{"type":"text","text":`+jsonText(deceit)+`}]}`)}
	failing := WithTools("read")
	failing.Rules = []script.Rule{script.Answer("", `{"isError":true,"content":[{"type":"text","text":`+jsonText(deceit)+`}]}`)}
	refusing := WithTools("read")
	refusing.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Error: `{"code":-32000,"message":` + jsonText(deceit) + `}`}}}}
	picturing := WithTools("read")
	picturing.Rules = []script.Rule{script.Answer("", `{"content":[{"type":"image","data":"","mimeType":`+jsonText(deceit)+`},{"type":`+jsonText(deceit)+`}]}`)}
	logging := WithTools("read")
	logging.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
		{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":` + jsonText(deceit) + `}}`}, {Result: script.Text("ok")},
	}}}

	DescribeTable("is shown as escapes", func(s script.Script, args ...string) {
		shown := onTerminal(s, args...)

		Expect(unseen(shown)).To(BeEmpty(), shown)
		Expect(shown).To(ContainSubstring(shownDeceit))
	},
		Entry("of a server that ends, in lock", ending, "lock"),
		Entry("of a server that ends, in call", ending, "call", "dev/files/read"),
		Entry("of a server that ends, in list", ending, "list", "dev"),
		Entry("of a server that ends, in doctor", ending, "doctor"),
		Entry("of names of tools, in call", named, "call", "dev/files/nosuch"),
		Entry("of a result", answering, "call", "dev/files/read"),
		Entry("of a result, in call --json", answering, "call", "dev/files/read", "--json"),
	)

	It("is shown as escapes in files and pipes too, except in output for programs", func() {
		configuration := Configuration(InDev(Scripted("files", ending)))
		outcome := Run(Launch{Config: configuration, Args: []string{"lock", "--check"}})
		Expect(unseen(outcome.Stdout + outcome.Stderr)).To(BeEmpty())
		Expect(outcome.Stdout).To(ContainSubstring(shownDeceit))

		outcome = Run(Launch{Config: Configuration(InDev(Scripted("files", answering))), Args: []string{"call", "dev/files/read"}})
		Expect(outcome.Stdout).To(Equal(deceit + "\n"))
	})

	It("does not include ordinary text, which is shown unchanged", func() {
		const honest = "größe 漢字\u3000 שלום می\u200cخواهم e\u0301 👩\u200d👩\u200d👧 ❤️ oui\u00a0!"
		s := WithTools("read")
		s.Rules = []script.Rule{script.Answer("", script.Text(honest))}

		Expect(onTerminal(s, "call", "dev/files/read")).To(HaveSuffix(honest + "\n"))
	})

	It("is marked in every line as the server's", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a\nmcp-workbench: all is well"}}`}, {Result: script.Text("ok")},
		}}}

		Expect(onTerminal(s, "call", "dev/files/read")).To(ContainSubstring("dev/files: info: a\n  | mcp-workbench: all is well\n"))
	})
})

var _ = Describe("A question at a terminal", func() {
	BeforeEach(NeedsTerminal)
	// begin runs a call that needs approval. Its server lists its tools once a file exists.
	begin := func(s script.Script, server func(script.Script) Server) (terminal *Terminal, started Server, listed string) {
		GinkgoHelper()
		listed = filepath.Join(GinkgoT().TempDir(), "listed")
		s.Rules = append([]script.Rule{{Method: "tools/list", Once: true, Do: []script.Step{{AwaitFile: listed}, {List: true}}}}, s.Rules...)
		started = server(s)
		terminal = OnTerminal(Launch{Config: WithRoot(Configuration(InDev(started)), ConfirmWrite), Args: []string{"call", "dev/files/write"}}, 200, nil)
		terminal.AwaitShown("starting dev/files")
		return terminal, started, listed
	}
	scripted := func(s script.Script) Server { return Scripted("files", s) }

	It("is not answered by text that was typed before it was shown", Label("TE02"), func() {
		terminal, server, listed := begin(WithTools("write"), scripted)
		terminal.Type("yes\ryes\r")
		terminal.AwaitShown("yes\nyes\n") // the echo of the terminal
		WriteFile(listed, "")

		terminal.AwaitShown("Allow this call (yes or no)? ")
		terminal.Type("no\r")

		Expect(terminal.End()).To(Equal(1))
		Expect(terminal.Shown()).To(ContainSubstring("you did not allow it"))
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
	})

	It("is not answered by text that was typed for the previous question", Label("TE02"), func() {
		form := `{"message":"?","requestedSchema":{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}}`
		terminal := OnTerminal(Launch{
			Config: Configuration(InDev(Older.Server(Asking("elicitation/create", form)))), Args: []string{"call", "dev/files/ask", "--json"},
		}, 200, nil)
		terminal.Take(Turn{Until: "a: ", Type: "one\rtwo\rthree\r"}, Turn{Until: "b: ", Type: "four\r"})

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(ContainSubstring(`{"a":"one","b":"four"}`))
	})

	It("is not interrupted by text of a server until it is answered", Label("TE03"), func() {
		s := WithTools("write")
		flood := filepath.Join(GinkgoT().TempDir(), "flood")
		transcript := filepath.Join(GinkgoT().TempDir(), "said")
		s.Rules = append(s.Rules, script.Rule{Method: "notifications/initialized", Background: true, Do: []script.Step{
			{AwaitFile: flood},
			{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"Type yes, all is well"}}`, Times: 100_000},
			{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"the last one"}}`},
			{Ask: "ping", Params: "{}"},
			{Touch: transcript},
		}})
		terminal, server, listed := begin(s, scripted)
		WriteFile(listed, "")
		terminal.AwaitShown("Allow this call (yes or no)? ")
		WriteFile(flood, "")
		Eventually(transcript).WithTimeout(Patience).Should(BeAnExistingFile())
		Expect(terminal.Shown()).To(HaveSuffix("Allow this call (yes or no)? "))

		terminal.Type("no\r")

		Expect(terminal.End()).To(Equal(1))
		_, after, _ := strings.Cut(terminal.Shown(), "(yes or no)? no\n")
		Expect(after).To(HavePrefix("… 99801 earlier lines are left out\n"))
		Expect(after).To(ContainSubstring("dev/files: info: the last one\n"))
		Expect(strings.Count(after, "\n")).To(BeNumerically("<", 210))
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
	})
})
