package using_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A long result", func() {
	for _, era := range Eras {
		Context("for a host of "+era.Name, func() {
			It("is passed on in the server's bytes without the setting", func() {
				whole := script.Text(strings.Repeat("a line of text\n", 20_000))
				host := connectFitting(era, `"logLevel":"warn"`, Scripted("files", resultScript(whole)))

				answer := host.Use("dev", "files", "get", "{}")

				Expect(string(answer.Result)).To(HaveSuffix(whole[1:]))
				Expect(host.ToolNames()).NotTo(ContainElement("read_result"))
			})

			It("is cut with \"fit\", says so in a last block, and is kept", func() {
				lines := strings.Repeat("a line of text\n", 20_000)
				host := connectFitting(era, fitting, Scripted("files", resultScript(script.Text(lines))))

				result := shownIn(host.Use("dev", "files", "get", "{}"))

				Expect(result.textSize()).To(And(BeNumerically("<=", 8000), BeNumerically(">", 7000)))
				Expect(result.Content[0].Text).To(And(HavePrefix("a line of text\na line"), ContainSubstring("more lines")))
				Expect(result.note()).To(MatchRegexp(`^\[Result r1\S* of dev/files/get: 7.5 KB of 300 KB shown\. read_result \{"id":"r1\S*"\} ` +
					`with "select" \(jq\), "grep" \(regular expression\) or "from" shows more\.\]$`))
			})

			It("has the server's bytes with \"fit\" if it fits, whatever its content", func() {
				for _, text := range []string{`{"content":[], "n" : 1.10}`, `{"content":[{"type":"text","text":"{not JSON\u0041"}],"x":9007199254740993,"x":2}`} {
					host := connectFitting(era, fitting, Scripted("files", resultScript(text)))

					Expect(string(host.Use("dev", "files", "get", "{}").Result)).To(HaveSuffix(text[1:]))
				}
			})

			It("stays JSON, with whole items and a note of the rest", func() {
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(issues(1200)))))

				result := shownIn(host.Use("dev", "files", "get", "{}"))

				var list []json.RawMessage
				Expect(json.Unmarshal([]byte(result.Content[0].Text), &list)).To(Succeed())
				Expect(string(list[0])).To(Equal(`{"number":0,"title":"Issue 0","state":"open","big":9007199254740993}`))
				Expect(string(list[len(list)-1])).To(Equal(fmt.Sprintf(`"… 1,%d more items"`, 201-len(list))))
			})
		})
	}

	DescribeTable("passes a result whole up to the limit, or up to the limit of a known host if that is less, and otherwise shows a fifth of the limit, at least 8,000 bytes",
		func(name string, limit, longest, first int) {
			host := connectFittingAs(name, limit, Scripted("files", resultScript(script.Text(strings.Repeat("x", longest)))),
				Scripted("more", resultScript(script.Text(strings.Repeat("x", longest+1)))))

			Expect(host.Use("dev", "files", "get", "{}").Text()).To(HaveLen(longest))
			answer := host.Use("dev", "more", "get", "{}")
			Expect(shownIn(answer).textSize()).To(And(BeNumerically("<=", first), BeNumerically(">", first-500)))
			read := shownIn(readResult(host, fmt.Sprintf(`{"id":%q}`, keptID(answer))))
			Expect(read.textSize()).To(And(BeNumerically("<=", longest), BeNumerically(">", longest-500)))
		},
		Entry("by default", "unknown", 40_000, 40_000, 8000),
		Entry("at GitHub Copilot CLI", "copilot-cli", 40_000, 20<<10, 8000),
		Entry("at Qwen Code", "qwen-cli-mcp-client-workbench", 40_000, 28_000, 8000),
		Entry("at Codex, which counts the JSON of the text", "codex-mcp-client", 80_000, 40_000-len(`{"type":"text","text":""},`), 8000),
	)

	It("stays below the limit of Codex, which counts the escapes of its JSON", func() {
		escaped := strings.Repeat("\"\\\n", 12_000)
		host := connectFittingAs("codex-mcp-client", 40_000, Scripted("files", resultScript(script.Text(escaped))))
		counted := func(answer Message) int {
			var result struct{ Content json.RawMessage }
			answer.Decode(&result)
			return len(result.Content)
		}

		cut := host.Use("dev", "files", "get", "{}")
		Expect(shownIn(cut).note()).To(ContainSubstring(" of 36 KB shown"))
		Expect(counted(cut)).To(BeNumerically("<=", 40_000))
		id := keptID(cut)
		for _, arguments := range []string{`{"id":%q}`, `{"id":%q,"from":20000}`, `{"id":%q,"grep":"."}`} {
			Expect(counted(readResult(host, fmt.Sprintf(arguments, id)))).To(And(BeNumerically("<=", 40_000), BeNumerically(">", 20_000)), arguments)
		}
	})

	It("is cut for a task too, when the host gets its result", func() {
		s := MakingTasks("files", "t")
		for i, rule := range s.Rules {
			if rule.Method == "tasks/result" {
				s.Rules[i].Do = []script.Step{{Result: script.Text(strings.Repeat("word ", 1000))}}
			}
		}
		s.Rules = slices.Insert(s.Rules, 0, script.Rule{Method: "tasks/result", Do: []script.Step{{Result: script.Text(strings.Repeat("word ", 1000))}}})
		host := connectFitting(Older, fittingSoon, Older.Server(s))
		beginTask(host, "files")

		result := shownIn(host.Request("tasks/result", host.Params(`"taskId":"t"`)))

		Expect(result.textSize()).To(BeNumerically("<=", 1024))
		Expect(result.note()).To(HavePrefix("[Result r1 of dev/files: "))
	})

	It("is cut in the answer to tasks/get, which includes it once the task is done", func() {
		s := MakingTasks("files", "t")
		s.Rules = slices.Insert(s.Rules, 0, script.Rule{Method: "tasks/get", Do: []script.Step{{
			Result: `{"resultType":"complete","taskId":"t","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:01Z","ttlMs":60000,"result":` +
				script.Text(strings.Repeat("word ", 1000)) + `}`,
		}}})
		host := connectFitting(Modern, fittingSoon, Modern.Server(s))
		beginTask(host, "files")

		answer := host.Request("tasks/get", host.Params(`"taskId":"t"`))

		var task struct {
			Status string
			Result shown
		}
		answer.Decode(&task)
		Expect(task.Status).To(Equal("completed"))
		Expect(task.Result.textSize()).To(BeNumerically("<=", 1024))
		Expect(task.Result.note()).To(MatchRegexp(`^\[Result r1\S* of dev/files: `))
	})

	It("stays readable after its toolbox was closed", func() {
		host := connectFittingDynamic(Scripted("files", resultScript(script.Text(strings.Repeat("word ", 1000)))))
		Expect(shownIn(host.Tool("dev__files_get", "{}")).note()).To(HavePrefix("[Result r1 of dev/files/get: "))

		host.Close("dev")

		Expect(shownIn(readResult(host, `{"id":"r1","from":4000}`)).Content[0].Text).To(ContainSubstring("word word"))
	})

	It("fits, or passes whole, from the next call after a reload, without a restart of its server", func() {
		server := Scripted("files", resultScript(script.Text(strings.Repeat("word ", 1000))))
		config := Configuration(InDev(server))
		r := ServeReloadable(Older, config)
		r.Open("dev")
		Expect(r.Use("dev", "files", "get", "{}").Text()).To(HaveLen(5000))

		r.Reload(WithRoot(config, fittingSoon))
		r.AwaitSent("notifications/tools/list_changed", 1)
		Expect(shownIn(r.Use("dev", "files", "get", "{}")).textSize()).To(BeNumerically("<=", 1024))
		Expect(r.ToolNames()).To(ContainElement("read_result"))
		r.Reload(WithRoot(config, fitting, `"limits":{"result":"2KiB"}`))
		Expect(shownIn(r.Use("dev", "files", "get", "{}")).textSize()).To(BeNumerically(">", 1024))
		r.Reload(config)
		Expect(r.Use("dev", "files", "get", "{}").Text()).To(HaveLen(5000))
		Expect(server.Starts()).To(Equal(1))
	})
})

const (
	// fitting makes results fit, and fittingSoon in a kilobyte.
	fitting     = `"results":"fit"`
	fittingSoon = fitting + `,"limits":{"result":"1KiB"}`
)

// block is a block of a result's content.
type block struct{ Type, Text, Data, URI string }

// shown is a result as a model sees it.
type shown struct {
	Content           []block
	StructuredContent json.RawMessage
	IsError           bool
	Meta              json.RawMessage `json:"_meta"`
}

func shownIn(answer Message) (result shown) {
	GinkgoHelper()
	answer.Decode(&result)
	return result
}

// UnmarshalJSON reads a result, and makes the note at the end of its first text the last text.
func (s *shown) UnmarshalJSON(text []byte) error {
	type plain shown
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	first := slices.IndexFunc(s.Content, func(b block) bool { return b.Type == "text" })
	if first < 0 {
		return nil
	}
	if found, note, isNoted := cutNote(s.Content[first].Text); isNoted {
		s.Content[first].Text = found
		s.Content = append(s.Content, block{Type: "text", Text: note})
	}
	return nil
}

// cutNote takes the note off the end of a text.
func cutNote(text string) (found, note string, isNoted bool) {
	at := strings.LastIndex(text, "\n[Result ")
	if at < 0 || !strings.HasSuffix(text, "]") {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

// texts returns the texts of the blocks.
func (s shown) texts() []string {
	var texts []string
	for _, block := range s.Content {
		if block.Type == "text" {
			texts = append(texts, block.Text)
		}
	}
	return texts
}

// note returns the last text.
func (s shown) note() string {
	GinkgoHelper()
	texts := s.texts()
	Expect(texts).NotTo(BeEmpty())
	return texts[len(texts)-1]
}

// textSize returns the bytes of all texts.
func (s shown) textSize() int { return len(strings.Join(s.texts(), "")) + len(s.StructuredContent) }

// resultScript returns a script whose tool "get" has a result.
func resultScript(result string) script.Script {
	s := WithTools("get", "write")
	s.Rules = []script.Rule{script.Answer("get", result)}
	return s
}

// issues returns a list of issues, as JSON.
func issues(count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(`{"number":%d,"title":"Issue %d","state":"open","big":9007199254740993}`, i, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// connectFitting starts a workbench with a server and settings at its root, and opens the toolbox dev.
func connectFitting(e Era, settings string, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), settings)})
	host := Connect(w, e.Modern, `{}`)
	host.Open("dev")
	return host
}

// connectFittingAs does the same for a host with a name, and with a limit of results.
func connectFittingAs(name string, limit int, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), fitting, fmt.Sprintf(`"limits":{"result":%d}`, limit))})
	w.Request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":`+Quote(name)+`,"version":"1"}}`)
	host := Host{Workbench: w, Capabilities: `{}`}
	host.Open("dev")
	return host
}

// readResult calls read_result.
func readResult(host Host, arguments string) Message {
	GinkgoHelper()
	return host.Request("tools/call", host.Params(`"name":"read_result","arguments":`+arguments))
}

// selectionAnswer calls the tool "get" with a select.
func selectionAnswer(host Host, program string) Message {
	GinkgoHelper()
	arguments := strings.TrimSuffix(UseArguments("dev", "files", "get", "{}"), "}") + `,"select":` + Quote(program) + "}"
	return host.Request("tools/call", host.Params(`"name":"use_tool","arguments":`+arguments))
}

// connectFittingDynamic is ConnectDynamic with results that fit in a kilobyte, and the toolbox dev open.
func connectFittingDynamic(servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(DynamicConfiguration(InDev(servers...)), fittingSoon)})
	host := Connect(w, false, `{}`)
	host.Open("dev")
	return host
}

var _ = Describe("A kept result over HTTP", func() {
	const ofOne, ofOther = "token-of-one-that-is-long", "token-of-another-that-is-long"

	BetweenHosts(func(first, other Era) {
		It("is shown only to the caller that made the call", func() {
			tokens := `{"tokens": {
				"one": {"value": "` + ofOne + `", "toolboxes": ["*"]}, "other": {"value": "` + ofOther + `", "toolboxes": ["*"]}
			}}`
			server := Older.Server(resultScript(script.Text(issues(100))), Shared)
			w := Listen(Launch{Config: WithRoot(WithHTTP(tokens, InDev(server)), fittingSoon)})
			a, b := Connect(w.AnotherHostWith(ofOne), first.Modern, "{}"), Connect(w.AnotherHostWith(ofOther), other.Modern, "{}")
			a.Open("dev")
			b.Open("dev")
			id := keptID(a.Use("dev", "files", "get", "{}"))

			Expect(readResult(b, fmt.Sprintf(`{"id":%q}`, id)).Failure()).To(Equal("Result '" + id + "' is not kept any more; call the tool again"))
			Expect(shownIn(readResult(a, fmt.Sprintf(`{"id":%q}`, id))).Content[0].Text).To(HavePrefix(`[{"number":0`))
		})
	})

	It("has an id that cannot be guessed, since programs without a session count as one host", func() {
		w := Listen(Launch{Config: WithRoot(Configuration(InDev(Scripted("files", resultScript(script.Text(issues(100)))))), fittingSoon)})
		a := Connect(w.AnotherHost(), true, "{}")

		Expect(keptID(a.Use("dev", "files", "get", "{}"))).To(MatchRegexp(`^r1-[a-z2-7]{10}$`))
		Expect(readResult(Connect(w.AnotherHost(), true, "{}"), `{"id":"r1"}`).Failure()).To(ContainSubstring("is not kept any more"))
	})
})
