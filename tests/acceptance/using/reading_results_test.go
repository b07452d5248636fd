package using_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("read_result", func() {
	for _, era := range Eras {
		Context("for a host of "+era.Name, func() {
			It("continues at a character until the end, and nothing is missing", func() {
				text := strings.Repeat("ein schöner Tag\n", 300) + `{"a": 1`
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(text))))
				id := keptID(host.Use("dev", "files", "get", "{}"))

				read, from := "", 0
				for next := true; next; {
					result := shownIn(readResult(host, fmt.Sprintf(`{"id":%q,"from":%d}`, id, from)))
					Expect(result.textSize()).To(BeNumerically("<=", 1024))
					read += result.Content[0].Text
					from = len([]rune(read))
					next = strings.HasSuffix(result.note(), fmt.Sprintf(`read_result {"id":%q,"from":%d} continues.]`, id, from))
				}
				Expect(read).To(Equal(text))
			})

			It("says in the text itself what it is, since hosts take a text that is JSON for structured content, or pass on only the first", Label("S26"), func() {
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(issues(1200)))))
				cut := host.Use("dev", "files", "get", "{}").Text()
				id := keptID(host.Use("dev", "files", "get", "{}"))

				Expect(cut).To(MatchRegexp(`(?s)^\[\{"number":0,.*\]\n\[Result r1\S* of dev/files/get: .* shows more\.\]$`))
				for query, found := range map[string]string{
					`"select":"length"`:     "1200\n[Result ID of dev/files/get: the output of \"select\".]",
					`"select":".[0].title"`: "\"Issue 0\"\n[Result ID of dev/files/get: the output of \"select\".]",
				} {
					text := readResult(host, fmt.Sprintf(`{"id":%q,%s}`, id, query)).Text()
					Expect(strings.ReplaceAll(text, id, "ID")).To(Equal(found))
				}
				Expect(readResult(host, fmt.Sprintf(`{"id":%q,"grep":"Issue 7[^0-9]"}`, id)).Text()).To(HaveSuffix(": the lines that match \"grep\".]"))
				call := `{"tool":{"toolbox":"dev","server":"files","tool":"get"},"select":".[:2] | map(.number)"}`
				Expect(host.Request("tools/call", host.Params(`"name":"use_tool","arguments":`+call)).Text()).To(HavePrefix("[0,1]\n[Result "))
			})

			It("takes the place to continue at as a text or with a fraction of zero, as some libraries send numbers", Label("S25"), func() {
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(strings.Repeat("a line of text\n", 600)+"the end"))))
				id := keptID(host.Use("dev", "files", "get", "{}"))

				for _, from := range []string{`"9000"`, `9000.0`, `9e3`} {
					Expect(shownIn(readResult(host, fmt.Sprintf(`{"id":%q,"from":%s,"task_progress":null}`, id, from))).Content[0].Text).To(Equal("the end"), from)
				}
			})

			It("shows lines that match, with their numbers and one line around", func() {
				text := strings.Repeat("nothing here\n", 400) + "an error here\n" + strings.Repeat("nothing here\n", 400)
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(text))))
				id := keptID(host.Use("dev", "files", "get", "{}"))

				found := shownIn(readResult(host, fmt.Sprintf(`{"id":%q,"grep":"an? err[o]r"}`, id))).Content[0].Text

				Expect(strings.Split(found, "\n")).To(HaveExactElements(
					MatchRegexp(`400.*nothing here`), MatchRegexp(`401.*an error here`), MatchRegexp(`402.*nothing here`)))
			})

			It("refuses arguments that are wrong, and says what is wrong", func() {
				host := connectFitting(era, fittingSoon, Scripted("files", resultScript(script.Text(issues(1200)))))

				for arguments, problem := range map[string]string{
					`{}`:                                  "Invalid parameters: id is missing",
					`{"id":1}`:                            "Invalid parameters: id must be a string",
					`{"id":"r1","from":-1}`:               "Invalid parameters: from must be a whole number that is not negative",
					`{"id":"r1","from":1.5}`:              "Invalid parameters: from must be a whole number that is not negative",
					`{"id":"r1","from":"Inf"}`:            "Invalid parameters: from must be a whole number that is not negative",
					`{"id":"r1","from":true}`:             "Invalid parameters: from must be a whole number that is not negative",
					`{"id":"r1","select":".","grep":"a"}`: "Invalid parameters: select, grep and from cannot be used together",
					`{"id":"r1","select":""}`:             "Invalid parameters: select cannot be empty",
					`{"id":"r1","jq":"."}`:                "Invalid parameters: Unrecognized key: 'jq'",
					`[]`:                                  "Invalid parameters: arguments must be an object",
					`{"id":"r99"}`:                        "Result 'r99' is not kept any more; call the tool again",
					`{"id":"\u001b[31m"}`:                 `Result '\u001b[31m' is not kept any more; call the tool again`,
				} {
					Expect(readResult(host, arguments).Failure()).To(Equal(problem), arguments)
				}
			})
		})
	}

	It("is a read-only tool with a short description while some toolbox has \"fit\"", func() {
		w := Start(Launch{Config: WithRoot(Configuration(InDev(Scripted("files", WithTools("get")))), fitting)})
		host := Connect(w, false, `{}`)

		Expect(host.ToolNames()).To(Equal([]string{"open_toolbox", "use_tool", "read_result"}))
		definition := string(host.Tools()[2])
		Expect(definition).To(And(ContainSubstring(`"readOnlyHint":true`), ContainSubstring(`"idempotentHint":true`), ContainSubstring(`"destructiveHint":false`)))
		// A token has four bytes of JSON on average.
		model, _, _ := strings.Cut(definition, `,"annotations"`)
		Expect(len(model)).To(BeNumerically("<=", 600))
	})

	It("does not exist while no toolbox has \"fit\"", func() {
		w := Start(Launch{Config: Configuration(InDev(Scripted("files", WithTools("get"))))})
		host := Connect(w, false, `{}`)

		answer := readResult(host, `{"id":"r1"}`)

		Expect(answer.Code()).To(Equal(-32602))
		Expect(string(answer.Error)).To(ContainSubstring("The tools here are open_toolbox and use_tool;"))
	})

	It("finds the last twenty results, of a thousand", Label("large"), func() {
		host := connectFitting(Older, fittingSoon, Scripted("files", resultScript(script.Text(issues(30)))))
		var ids []string
		for range 1000 {
			ids = append(ids, host.BeginUse("dev", "files", "get", "{}"))
		}
		for _, id := range ids {
			Expect(keptID(host.Await(id))).NotTo(BeEmpty())
		}

		Expect(readResult(host, `{"id":"r980"}`).Failure()).To(Equal("Result 'r980' is not kept any more; call the tool again"))
		Expect(shownIn(readResult(host, `{"id":"r981"}`)).IsError).To(BeFalse())
		Expect(shownIn(readResult(host, `{"id":"r1000"}`)).IsError).To(BeFalse())
	})
})

// keptID returns the id in the note of a result.
func keptID(answer Message) string {
	GinkgoHelper()
	_, after, found := strings.Cut(shownIn(answer).note(), `read_result {"id":"`)
	Expect(found).To(BeTrue(), "%.500s", answer.Line)
	id, _, _ := strings.Cut(after, `"`)
	return id
}

var _ = Describe("A call with select", func() {
	for _, era := range Eras {
		Context("of a host of "+era.Name, func() {
			It("is answered with the output of jq, and the whole result is kept if it is longer", func() {
				host := connectFitting(era, fitting, Scripted("files", resultScript(script.Text(issues(100)))))

				answer := shownIn(selectionAnswer(host, `.[3] | {title, big}`))

				Expect(answer.Content[0].Text).To(Equal(`{"big":9007199254740993,"title":"Issue 3"}`))
				Expect(answer.note()).To(MatchRegexp(`^\[Result r1\S* of dev/files/get: 42 bytes selected of 7(\.\d)? KB\. read_result \{"id":"r1\S*"\} shows more\.\]$`))
			})

			It("never costs a second call of the tool when it is wrong", func() {
				server := Scripted("files", resultScript(script.Text(issues(100))))
				host := connectFitting(era, fitting, server)

				for program, problem := range map[string]string{
					`.[] | |`: "select", `.[0].title + 1`: "string", `.items[]`: "array", `input`: "input", `import "a" as a; .`: "",
				} {
					answer := selectionAnswer(host, program)
					failure := answer.Failure()
					Expect(failure).To(And(HavePrefix(`"select" failed: `), ContainSubstring(problem)), program)
					Expect(failure).To(ContainSubstring(`[100 × {"number": number, "title": string`))
					Expect(len(failure)).To(BeNumerically("<", 3000))
				}
				calls := len(server.CallsOf("get"))
				failure := selectionAnswer(host, `.x`).Failure()
				_, after, _ := strings.Cut(failure, `read_result {"id":"`)
				id, _, _ := strings.Cut(after, `"`)
				Expect(shownIn(readResult(host, fmt.Sprintf(`{"id":%q,"select":"length"}`, id))).Content[0].Text).To(Equal("100"))
				Expect(server.CallsOf("get")).To(HaveLen(calls + 1))
			})

			It("is refused for a toolbox whose results are whole, with the reason", func() {
				server := Scripted("files", resultScript(script.Text("[1]")))
				w := Start(Launch{Config: WithRoot(strings.Replace(Configuration(InDev(server), NewToolbox("ops", Scripted("files", WithTools("get")))),
					`"dev": {`, `"dev": {"results":"whole",`, 1), fitting)})
				host := Connect(w, era.Modern, `{}`)
				host.Open("dev")

				Expect(selectionAnswer(host, `.`).Failure()).To(Equal("The call was not made: results of server 'files' (toolbox 'dev') are passed on whole " +
					`("results": "whole" in the configuration), so "select" cannot be used. Call the tool without it.`))
				Expect(server.CallsOf("get")).To(BeEmpty())
			})
		})
	}

	It("is possible in use_tool and read_tool while some toolbox has \"fit\"", func() {
		w := Start(Launch{Config: WithRoot(Configuration(InDev(Scripted("files", WithTools("get")))), fitting, `"readTool":true`)})
		host := Connect(w, false, `{}`)

		for _, definition := range host.Tools()[1:3] {
			Expect(string(definition)).To(ContainSubstring(`"select":{"type":"string"`))
		}
		w = Start(Launch{Config: Configuration(InDev(Scripted("files", WithTools("get"))))})
		host = Connect(w, false, `{}`)
		Expect(string(host.Tools()[1])).NotTo(ContainSubstring("select"))
		host.Open("dev")
		Expect(selectionAnswer(host, ".").Failure()).To(Equal("Invalid parameters: Unrecognized key: 'select'"))
	})

	It("is refused for a call that becomes a task", func() {
		server := Older.Server(MakingTasks("files", "t"))
		host := connectFitting(Older, fitting, server)

		arguments := strings.TrimSuffix(UseArguments("dev", "files", "build", "{}"), "}") + `,"select":"."}`
		answer := host.Request("tools/call", host.Params(`"name":"use_tool","arguments":`+arguments+`,"task":{}`))

		Expect(answer.Failure()).To(ContainSubstring(`"select" cannot be used for a call that becomes a task`))
		Expect(server.CallsOf("build")).To(BeEmpty())
	})
})
