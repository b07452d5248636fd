package contract

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// describeInput is about the input that servers of 2026-07-28 request with a result.
func describeInput(on *trial) {
	const wanted = `{ "resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":` + odd + `}},"requestState":"s\/1"}`

	Context("when a server requires input during a call", func() {
		It("continues the call with the input of the caller", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/call", Once: true, Do: []script.Step{{Result: wanted}}},
				{Method: "tools/call", Do: []script.Step{{Result: `{"resultType":"complete","got":${inputResponses},"state":${requestState}}`}}},
			}})
			var asked string

			call := on.beginCall(session, ports.ToolCall{
				Name: "read", Arguments: json.RawMessage(odd),
				Input: func(result json.RawMessage, supply func(json.RawMessage, error)) {
					asked = string(result)
					supply(json.RawMessage(`"inputResponses":{ "q":1.0},"requestState":"s\/1"`), nil)
				},
			})

			Expect(call.result()).To(Equal(`{"resultType":"complete","got":{ "q":1.0},"state":"s\/1"}`))
			Expect(asked).To(Equal(wanted))
			Expect(member(on.heard("tools/call")[1], "params", "arguments")).To(Equal(odd))
		})

		It("passes the result on to a caller that supplies no input", func() {
			session := on.play(script.Script{Rules: []script.Rule{script.Answer("", wanted)}})

			Expect(on.use(session, "read")).To(Equal(wanted))
		})
	})

	Context("when the host wants log messages", func() {
		It("tells the server with each call", func() {
			session := on.play(answering())

			session.SetLogLevel("debug")
			on.use(session, "read")

			Expect(member(on.hears("tools/call"), "params", "_meta", "io.modelcontextprotocol/logLevel")).To(Equal(`"debug"`))
		})
	})
}
