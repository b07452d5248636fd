package using_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// continueCall continues a call with raw answers and returns the id of the request.
func continueCall(host Host, server, tool, state, responses string, meta ...string) string {
	GinkgoHelper()
	return host.Begin("tools/call", host.Params(`"name":"use_tool","arguments":`+
		UseArguments("dev", server, tool, `{"a":1.0}`)+
		`,"inputResponses":`+responses+`,"requestState":`+Quote(state), meta...))
}

var _ = Describe("A server of 2026-07-28 that requires input", func() {
	Context("from a host of its own era", func() {
		It("passes its questions on in its own bytes, and gets the answer with the retry", func() {
			a, b := Scripted("a", Modern.Script(RequiringInput(1))), Scripted("b", Modern.Script(RequiringInput(1)))
			host := Modern.Connect(AllCapabilities, a, b)

			answer := host.Use("dev", "b", "ask", `{"a":1.0}`)
			Expect(WithoutSeals(string(answer.Result))).To(Equal(strings.ReplaceAll(strings.Replace(InputRequiredResult, FormParams, FromServer("b", FormParams), 1), "${call}", "1")))

			const responses = `{"who":{"action":"accept","content":{"n":9007199254740993}},"where":{"roots":[ ]}}`
			answer = host.Await(continueCall(host, "b", "ask", RequiredInputOf(answer).State, responses))
			Expect(string(answer.Result)).To(Equal(`{"resultType":"complete","content":[],` +
				`"heard":{"responses":` + responses + `,"state":"state of 1/é","arguments":{"a":1.0}}}`))
			Expect(b.ReceivedWith("tools/call")).To(HaveLen(2))
			Expect(a.ReceivedWith("tools/call")).To(BeEmpty())
		})
	})

	Context("from a host with a handshake", func() {
		It("has all its questions asked together, and is continued with the answers", func() {
			server := Modern.Server(RequiringInput(1))
			host := Older.Connect(AllCapabilities, server)

			id := host.BeginUse("dev", "files", "ask", `{"a":1.0}`, `"traceparent":"t"`)
			where := host.AwaitSent("roots/list", 1)
			questions := host.AwaitSent("elicitation/create", 1)
			Expect(string(questions.Params)).To(Equal(FromServer("files", FormParams)))
			Expect(where.Params).To(BeNil())
			Expect(host.Answers(id)).To(BeEmpty())
			host.Reply(where, `{"roots":[ ]}`)
			host.Reply(questions, `{"action":"accept","content":{"n":9007199254740993}}`)

			var result struct {
				Heard struct {
					Responses map[string]json.RawMessage
					State     string
					Arguments json.RawMessage
				}
			}
			host.Await(id).Decode(&result)
			Expect(string(result.Heard.Responses["who"])).To(Equal(`{"action":"accept","content":{"n":9007199254740993}}`))
			Expect(string(result.Heard.Responses["where"])).To(Equal(`{"roots":[ ]}`))
			Expect(result.Heard.State).To(Equal("state of 1/é"))
			Expect(string(result.Heard.Arguments)).To(Equal(`{"a":1.0}`))
			Expect(server.ReceivedWith("tools/call")).To(HaveEach(ContainSubstring(`"traceparent":"t"`)))
		})

		It("can require input more than once", func() {
			server := Modern.Server(RequiringInput(3))
			host := Older.Connect(AllCapabilities, server)

			id := host.BeginUse("dev", "files", "ask", `{}`)
			for round := range 3 {
				host.Reply(host.AwaitSent("roots/list", round+1), `{"roots":[]}`)
				host.Reply(host.AwaitSent("elicitation/create", round+1), fmt.Sprintf(`{"action":"accept","content":{"round":%d}}`, round))
			}

			Expect(string(host.Await(id).Result)).To(ContainSubstring(`"content":{"round":2}`))
			Expect(server.ReceivedWith("tools/call")).To(HaveLen(4))
		})

		It("is continued immediately when it only wants its state back", func() {
			s := RequiringInput(0)
			s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "ask", Once: true, Do: []script.Step{
				{Result: `{"resultType":"input_required","requestState":"later"}`},
			}}}, s.Rules...)
			s.Rules[1].Do[0].Result = `{"resultType":"complete","content":[],"state":${requestState}}`
			host := Older.Connect(`{}`, Modern.Server(s))

			Expect(string(host.Use("dev", "files", "ask", "{}").Result)).To(Equal(
				`{"resultType":"complete","content":[],"state":"later"}`))
		})

		DescribeTable("fails the call with the reason when the host has no answer", func(capabilities, reason string, answer func(Host)) {
			host := Older.Connect(capabilities, Modern.Server(RequiringInput(1)))

			id := host.BeginUse("dev", "files", "ask", "{}")
			answer(host)

			Expect(host.Await(id).Failure()).To(Equal("Error executing tool 'ask' in server 'files' (toolbox 'dev'): " + reason))
			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		},
			Entry("because it cannot be asked", `{"roots":{}}`,
				"it asked for elicitation/create, and the host answered: the host does not support elicitation/create",
				func(host Host) { host.Reply(host.AwaitSent("roots/list", 1), `{"roots":[]}`) }),
			Entry("because it refuses", AllCapabilities, "it asked for elicitation/create, and the host answered: not now",
				func(host Host) {
					host.Reply(host.AwaitSent("roots/list", 1), `{"roots":[]}`)
					host.Refuse(host.AwaitSent("elicitation/create", 1), `{"code":-32000,"message":"not now"}`)
				}),
		)

		It("has its questions withdrawn when the host cancels the call", func() {
			server := Modern.Server(RequiringInput(1))
			host := Older.Connect(AllCapabilities, server)

			id := host.BeginUse("dev", "files", "ask", "{}")
			questions := []Message{host.AwaitSent("roots/list", 1), host.AwaitSent("elicitation/create", 1)}
			host.Cancel(id)

			host.AwaitSent("notifications/cancelled", 2)
			var ids []string
			for _, m := range host.Sent("notifications/cancelled") {
				ids = append(ids, m.Member("requestId"))
			}
			Expect(ids).To(ConsistOf(string(questions[0].ID), string(questions[1].ID)))
			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")).To(HaveLen(2), "the call is not continued")
			Expect(host.End()).To(Equal(0))
			Expect(host.Answers(id)).To(BeEmpty())
		})

		It("cannot require input forever", func() {
			s := WithTools("ask")
			s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Result: `{"resultType":"input_required","requestState":"again"}`}}}}
			server := Modern.Server(s)
			host := Older.Connect(`{}`, server)

			answer := host.Use("dev", "files", "ask", "{}")

			Expect(answer.Failure()).To(HaveSuffix(": it asked for input 32 times and gave no result"))
			Expect(len(server.ReceivedWith("tools/call"))).To(BeNumerically("<", 100))
		})
	})
})
