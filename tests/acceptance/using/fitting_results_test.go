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

	It("loses the white space of JSON first, and says so if that is enough", func() {
		pretty := "[\n" + strings.Repeat(strings.Repeat(" ", 40)+"1,\n", 1000) + "2\n]"
		host := connectFitting(Older, fitting, Scripted("files", resultScript(script.Text(pretty))))

		result := shownIn(host.Use("dev", "files", "get", "{}"))

		Expect(result.Content[0].Text).To(HavePrefix("[1,1,1,"))
		Expect(result.note()).To(MatchRegexp(`^\[Result r1\S* of dev/files/get: all of it, 2 KB without the white space of its JSON\.\]$`))
	})

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
