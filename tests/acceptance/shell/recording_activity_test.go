package shell_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The record of activity", func() {
	var s state
	BeforeEach(func() { s = newState() })
	const secret = "s3cret-of-the-user"
	tools := script.Script{Tools: []string{script.Tool("read"), script.Tool("fail"), script.Tool("refuse")}, Rules: []script.Rule{
		script.Answer("read", script.Text("result "+secret)), script.Answer("fail", `{"content":[],"isError":true}`),
		{Method: "tools/call", Tool: "refuse", Do: []script.Step{{Error: `{"code":-32050,"message":"` + secret + `"}`}}},
	}}

	for _, era := range Eras {
		It("has each call of a host of "+era.Name+" with its outcome, but no argument, result or message", func() {
			host := Connect(s.serve(Configuration(InDev(era.Server(tools, `"env":{"TOKEN":"`+secret+`"}`)))), era.Modern, `{}`)
			host.Open("dev")
			for _, tool := range []string{"read", "fail", "refuse", "no such tool"} {
				host.Use("dev", "files", tool, `{"path":"`+secret+`"}`)
			}
			endWorkbench(host.Workbench)

			Expect(s.text()).NotTo(ContainSubstring(secret))
			Expect(briefEntries(s.entries())).To(Equal([]string{
				"start dev files ok", "open dev ok", "call dev files read ok", "call dev files fail tool_error", "call dev files refuse error",
				"call dev files no such tool refused", "end dev files ok",
			}))
			calls := s.entries("call")
			Expect(calls).To(HaveEach(And(HaveField("Host", "spec"), HaveField("HostVersion", "1"), HaveField("BytesIn", len(`{"path":""}`)+len(secret)))))
			Expect(calls[0].BytesOut).To(BeNumerically(">", len(secret)))
			Expect(calls[0].Tokens).To(BeNumerically(">", 0))
			Expect(calls[2].Code).To(Equal(-32050))
			Expect(calls[3].Unknown).To(BeTrue())
		})
	}

	It("has the calls of a user at a terminal, by the name of the command", func() {
		outcome := Run(Launch{Config: Configuration(InDev(Scripted("files", tools))), Args: []string{"call", "dev/files/fail"}, Env: s.env()})

		Expect(outcome.Code).To(Equal(5))
		Expect(briefEntries(s.entries())).To(Equal([]string{"call dev files fail tool_error"}))
		Expect(s.entries()[0].Host).To(Equal("mcp-workbench call"))
	})

	It("has the tools of dynamic mode by their original names", func() {
		host := Connect(s.serve(DynamicConfiguration(InDev(Scripted("files", tools)))), false, `{}`)
		host.Open("dev")
		host.Tool("dev__files_read", `{}`)
		endWorkbench(host.Workbench)
		Expect(briefEntries(s.entries("call"))).To(Equal([]string{"call dev files read ok"}))
	})

	It("has the identities of callers over HTTP, but never a token", func() {
		const token = "a-token-that-is-long"
		w := Listen(Launch{Config: WithHTTP(`{"tokens":{"ci":{"value":"`+token+`","toolboxes":["*"]}}}`, InDev(Scripted("files", tools))), Env: s.env()})
		host := w.AnotherHostWith(token)
		host.Initialize()
		host.Open("dev")
		host.Use("dev", "files", "read", `{}`)
		endWorkbench(w)
		Expect(s.text()).NotTo(ContainSubstring(token))
		Expect(s.entries("call")).To(HaveExactElements(HaveField("Identity", `token "ci"`)))
	})

	It("is not written, and no folder is created, if the configuration turns it off", func() {
		w := s.serve(strings.Replace(Configuration(InDev(Scripted("files", tools))), "{", `{"activity":false,`, 1))
		w.Initialize()
		w.Open("dev")
		w.Use("dev", "files", "read", `{}`)
		endWorkbench(w)
		Expect(s.folder()).NotTo(BeADirectory())
	})

	It("continues until the next start if the configuration turns it off meanwhile", func() {
		config := Configuration(InDev(Scripted("files", tools)))
		r := ServeReloadable(Older, config, s.env()...)
		r.Open("dev")
		Expect(r.Reload(strings.Replace(config, "{", `{"activity":false,`, 1))).To(ContainSubstring("from the next start of the workbench: activity"))
		r.Use("dev", "files", "read", `{}`)
		endWorkbench(r.Workbench)
		Expect(briefEntries(s.entries("call"))).To(Equal([]string{"call dev files read ok"}))
	})

	It("is shown by calls, with escapes in names, and without invalid entries", func() {
		w := s.serve(Configuration(InDev(Scripted("files", tools))))
		w.Initialize()
		w.Open("dev")
		w.Use("dev", "files", "read", `{}`)
		w.Use("dev", "files", deceit+"\n<b>", `{}`)
		w.Use("dev", "files", "fail", `{}`)
		endWorkbench(w)
		paths := spec.Must(filepath.Glob(filepath.Join(s.folder(), "activity-*.jsonl")))
		file := spec.Must(os.OpenFile(paths[0], os.O_APPEND|os.O_WRONLY, 0))
		Expect(file.WriteString("\x00\n[]\n{\"time\":\"2026-")).Error().NotTo(HaveOccurred())
		Expect(file.Close()).To(Succeed())

		outcome := Run(Launch{Args: []string{"calls", "dev/files"}, Env: s.env()})
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		rows := strings.Split(strings.TrimSuffix(outcome.Stdout, "\n"), "\n")
		Expect(rows).To(HaveExactElements(
			ContainSubstring("\tstart\tok\tdev/files\t"), ContainSubstring("\tcall\tok\tdev/files/read\t"),
			ContainSubstring("\tcall\trefused\tdev/files/"), ContainSubstring("\tcall\ttool_error\tdev/files/fail\t"), ContainSubstring("\tend\tok\tdev/files\t"),
		))
		Expect(unseenCharacters(outcome.Stdout)).To(BeEmpty())

		failed := Run(Launch{Args: []string{"calls", "--failed", "--json", "--since", "1h"}, Env: s.env()})
		var entry recordedEntry
		Expect(json.Unmarshal([]byte(failed.Stdout), &entry)).To(Succeed(), failed.Stdout)
		Expect(entry).To(And(HaveField("Tool", "fail"), HaveField("Outcome", "tool_error")), "a refused call has not failed")
		all := Run(Launch{Args: []string{"calls", "--json", "--since", "1h"}, Env: s.env()})
		Expect(all.Stdout).To(MatchRegexp(`"tool":"[^"]*\\n<b>","unknown":true,"outcome":"refused"`))

		nothing := Run(Launch{Args: []string{"calls", "prod"}, Env: s.env()})
		Expect(nothing.Stdout).To(BeEmpty())
		Expect(nothing.Stderr).To(ContainSubstring("no calls of prod are recorded yet"))
		wrong := Run(Launch{Args: []string{"calls", "--since", "yesterday"}, Env: s.env()})
		Expect(wrong.Code).To(Equal(2))
		Expect(wrong.Stderr).To(ContainSubstring("want a time above 0"))
	})

	It("is followed on a terminal of 80 columns until Ctrl-C", func() {
		NeedsTerminal()
		w := s.serve(Configuration(InDev(Scripted("files", tools))))
		w.Initialize()
		w.Open("dev")
		followed := OnTerminal(Launch{Args: []string{"calls", "--follow"}, Env: s.env()}, 80, nil)
		w.Use("dev", "files", "fail", `{}`)
		followed.AwaitShown("dev/files/fail")
		w.Use("dev", "files", deceit, `{}`)
		followed.AwaitShown("refused")
		followed.Signal(os.Interrupt)
		Expect(followed.End()).To(Equal(0))
		Expect(unseenCharacters(strings.ReplaceAll(followed.Shown(), "\r", ""))).To(BeEmpty())
		for line := range strings.Lines(stripped.Replace(strings.ReplaceAll(followed.Shown(), "\r", ""))) {
			Expect(len([]rune(strings.TrimSuffix(line, "\n")))).To(BeNumerically("<=", 80), line)
		}
	})

	It("shows in usage how tools are used, which are not, what those cost, and how to leave them out", func() {
		config := Configuration(InDev(Scripted("files", tools), Scripted("idle", tools)))
		w := s.serve(config)
		w.Initialize()
		w.Open("dev")
		for range 50 {
			w.Use("dev", "files", "read", `{}`)
			w.Use("dev", "files", "fail", `{}`)
		}
		w.Use("dev", "files", "no such tool", `{}`)
		endWorkbench(w)

		var found struct {
			Calls, Failed, Unknown int
			Tools                  []struct {
				Tool                    string
				Calls, Failed, BytesOut int
			}
			Unused []struct {
				Server      string
				Tools       []struct{ Name string }
				Tokens      int
				ToolFilters []string
			}
		}
		outcome := Run(Launch{Config: config, Args: []string{"usage", "--json"}, Env: s.env()})
		Expect(json.Unmarshal([]byte(outcome.Stdout), &found)).To(Succeed(), outcome.Stderr)
		Expect([]int{found.Calls, found.Failed, found.Unknown}).To(Equal([]int{100, 50, 1}))
		Expect(found.Tools).To(HaveLen(2))
		tokens := (len(script.Tool("refuse"))*4 + 9) / 18
		Expect(fmt.Sprint(found.Unused[1])).To(Equal(fmt.Sprintf("{files [{refuse}] %d [* !refuse]}", tokens)))
		Expect(found.Unused[0]).To(And(HaveField("Server", "idle"), HaveField("Tools", HaveLen(3)), HaveField("ToolFilters", BeNil())))

		NeedsTerminal()
		terminal := OnTerminal(Launch{Config: config, Args: []string{"usage"}, Env: s.env()}, 80, nil)
		Expect(terminal.End()).To(Equal(0))
		shown := stripped.Replace(strings.ReplaceAll(terminal.Shown(), "\r", ""))
		Expect(shown).To(And(
			MatchRegexp(`(?m)^TOOL +CALLS +FAILED +P50 +P95 +BYTES IN +BYTES OUT +TOKENS$`), MatchRegexp(`(?m)^dev/files/fail +50 +50 `),
			ContainSubstring(`"toolFilters": ["*", "!refuse"]`), ContainSubstring("mcp-workbench disable dev/idle"),
			ContainSubstring("fails often: dev/files/fail, 50 of 50 calls"), ContainSubstring("and 1 call of"),
		))
		for line := range strings.Lines(shown) {
			Expect(len([]rune(strings.TrimSuffix(line, "\n")))).To(BeNumerically("<=", 80), line)
		}
	})

	It("is shown on a terminal without servers that are not configured now, unless they are named", func() {
		NeedsTerminal()
		w := s.serve(Configuration(InDev(Scripted("files", tools))))
		w.Initialize()
		w.Open("dev")
		w.Use("dev", "files", "read", `{}`)
		endWorkbench(w)
		shown := func(args ...string) string {
			GinkgoHelper()
			terminal := OnTerminal(Launch{Config: Configuration(NewToolbox("other", Scripted("files", tools))), Args: args, Env: s.env()}, 120, nil)
			Expect(terminal.End()).To(Equal(0))
			return terminal.Shown()
		}

		Expect(shown("calls")).To(And(ContainSubstring("entries of servers that are not configured now are left out"), Not(ContainSubstring("dev/files"))))
		Expect(shown("calls", "dev")).To(ContainSubstring("dev/files/read"))
		Expect(shown("usage")).To(And(
			ContainSubstring("not shown: 1 call of 1 tool of servers that are not configured now"), Not(ContainSubstring("dev/files"))))
	})
})

// state is a state folder that several programs share.
type state string

func newState() state { return state(GinkgoT().TempDir()) }

// env returns the variables of a program that uses the folder.
func (s state) env() []string {
	return []string{"HOME=" + string(s), "XDG_STATE_HOME=" + string(s), "LocalAppData=" + string(s)}
}

// folder returns the folder of the record.
func (s state) folder() string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(string(s), "Library", "Application Support", "mcp-workbench", "activity")
	}
	return filepath.Join(string(s), "mcp-workbench", "activity")
}

// serve starts a workbench that uses the folder.
func (s state) serve(config string, args ...string) *Workbench {
	GinkgoHelper()
	return Start(Launch{Config: config, Args: args, Env: s.env()})
}

// endWorkbench ends a workbench, so that its whole record is written.
func endWorkbench(w *Workbench) {
	GinkgoHelper()
	w.CloseInput()
	Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
}

// text returns what was recorded.
func (s state) text() string {
	GinkgoHelper()
	paths := spec.Must(filepath.Glob(filepath.Join(s.folder(), "activity-*.jsonl")))
	var text strings.Builder
	for _, path := range paths {
		read := spec.Must(os.ReadFile(path))
		text.Write(read)
	}
	return text.String()
}

// recordedEntry is a line of the record.
type recordedEntry struct {
	Time, Workbench, Host, HostVersion, Identity, Kind, Toolbox, Server, Tool, Outcome string

	Unknown                          bool
	Code                             int
	Calls, BytesIn, BytesOut, Tokens int
}

// brief returns the kind, the subject and the outcome of an entry.
func (e recordedEntry) brief() string {
	return strings.Trim(strings.Join([]string{e.Kind, e.Toolbox, e.Server, e.Tool, e.Outcome}, " "), " ")
}

// entries returns the recorded entries, only those of certain kinds if kinds are given.
func (s state) entries(kinds ...string) (entries []recordedEntry) {
	GinkgoHelper()
	for line := range strings.Lines(s.text()) {
		var entry recordedEntry
		Expect(json.Unmarshal([]byte(line), &entry)).To(Succeed(), line)
		if len(kinds) == 0 || strings.Contains(strings.Join(kinds, " "), entry.Kind) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// briefEntries returns the short forms of entries.
func briefEntries(entries []recordedEntry) (texts []string) {
	for _, entry := range entries {
		texts = append(texts, strings.Join(strings.Fields(entry.brief()), " "))
	}
	return texts
}
