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

var _ = Describe("Calling a tool on a terminal", func() {
	BeforeEach(NeedsTerminal)
	begin := func(server Server, args ...string) *Terminal {
		GinkgoHelper()
		return OnTerminal(Launch{Config: Configuration(InDev(server)), Args: append([]string{"call"}, args...)}, 100, nil)
	}
	wholeForm := strings.NewReplacer("\n", "", "\t", "").Replace(`{"message":"Who are\u001b[2J you?","requestedSchema":{"type":"object","required":["name","age","colour"],"properties":{
		"name":{"type":"string","title":"Your name","description":"as in your passport","minLength":2},
		"age":{"type":"integer","minimum":1,"maximum":150},
		"part":{"type":"number","default":0.5},
		"sure":{"type":"boolean"},
		"colour":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]},
		"tags":{"type":"array","items":{"enum":["a","b","c"]}},
		"note":{"type":"string"}}}}`)

	It("shows the result before its server has ended", func() {
		ended := filepath.Join(GinkgoT().TempDir(), "ended")
		slow := WithTools("greet")
		slow.Rules = []script.Rule{script.Answer("greet", script.Text("hello at once"))}
		slow.End = []script.Step{{AwaitFile: ended}, {Exit: script.ExitZero}}

		terminal := begin(Scripted("files", slow), "dev/files/greet")

		terminal.AwaitShown("hello at once")
		Expect(os.WriteFile(ended, nil, 0o600)).To(Succeed())
		Expect(terminal.End()).To(Equal(0))
	})

	It("asks the user for each field of a form, until the answer fits", func() {
		terminal := begin(Older.Server(Asking("elicitation/create", wholeForm)), "dev/files/ask", "--json")

		terminal.AwaitShown(`dev/files asks: Who are\u001b[2J you?`)
		for _, turn := range []struct{ complaint, question, answer string }{
			{"", "Your name - as in your passport: ", "J"},
			{"it must have at least 2 characters", "Your name - as in your passport: ", "Jo"},
			{"", "age (integer): ", "x"},
			{"it must be a number without a fraction", "age (integer): ", "1.5"},
			{"it must be a number without a fraction", "age (integer): ", "151"},
			{"the maximum is 150", "age (integer): ", "42"},
			{"", "part (number, default 0.5): ", ""},
			{"", "sure (yes or no, optional): ", "perhaps"},
			{"the answer must be yes or no", "sure (yes or no, optional): ", "y"},
			{"", "  r: Red\n  g: Green\ncolour (one of these): ", "x"},
			{`"x" is not one of these`, "colour (one of these): ", "g"},
			{"", "tags (several of these, separated by commas, optional): ", "a, c"},
			{"", "note (optional): ", ""},
		} {
			// Text that is typed before the question is shown again answers nothing.
			terminal.Take(Turn{Until: turn.complaint}, Turn{Until: turn.question, Type: turn.answer + "\r"})
		}

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(ContainSubstring(`{"result":{"action":"accept","content":` +
			`{"age":42,"colour":"g","name":"Jo","part":0.5,"sure":true,"tags":["a","c"]}}}`))
		Expect(terminal.Shown()).NotTo(ContainSubstring("\x1b[2J"))
	})

	It("asks for the input that a server of 2026-07-28 requires", func() {
		terminal := begin(Modern.Server(RequiringInput(1)), "dev/files/ask", "--json")

		terminal.AwaitShown("n (integer, default 9007199254740993): ")
		terminal.Type("\r")

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(ContainSubstring(`"who":{"action":"accept","content":{"n":9007199254740993}}`))
	})

	It("shows progress as a bar, and removes the bar", func() {
		transcript := filepath.Join(GinkgoT().TempDir(), "said")
		s := WithTools("work")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":${token},"total":4,"message":"digging"}}`},
			{AwaitFile: transcript},
			{Result: script.Text("done")},
		}}}
		terminal := begin(Scripted("files", s), "dev/files/work")

		terminal.AwaitShown("work [#####---------------] 1/4 digging")
		WriteFile(transcript, "")

		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(HaveSuffix("digging\r\x1b[2Kdone\n"))
	})

	It("cancels the call at the server with Ctrl-C", func() {
		s := WithTools("work")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{{Stderr: "working"}, {Hang: true}}}}
		server := Scripted("files", s)
		terminal := begin(server, "dev/files/work", "--log-level", "info")
		terminal.AwaitShown("working")

		terminal.Type("\x03")

		Expect(terminal.End()).To(Equal(130))
		Expect(terminal.Shown()).To(ContainSubstring("mcp-workbench: interrupted"))
		Expect(server.ReceivedWith("notifications/cancelled")).To(HaveLen(1))
	})

	It("lets no result control the terminal, and passes it unchanged through a pipe", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{script.Answer("read", `{"content":[{"type":"text","text":"a\u001b[2Jb"}]}`)}
		server := Scripted("files", s)

		terminal := begin(server, "dev/files/read")
		Expect(terminal.End()).To(Equal(0))
		Expect(terminal.Shown()).To(HaveSuffix(`a\u001b[2Jb` + "\n"))

		var piped strings.Builder
		terminal = OnTerminal(Launch{Config: Configuration(InDev(server)), Args: []string{"call", "dev/files/read"}}, 100, &piped)
		Expect(terminal.End()).To(Equal(0))
		Expect(piped.String()).To(Equal("a\x1b[2Jb\n"))
	})
})
