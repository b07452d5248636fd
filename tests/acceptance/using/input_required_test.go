package using_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
	})
})
