package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// The answers of a server that asks before it returns a prompt.
const (
	heardAnswer = `{"messages":[],"heard":${answer}}`
	heardMore   = `{"resultType":"complete","messages":[],"heard":${inputResponses},"state":${requestState}}`
)

// asksForPrompt returns a server of the older era that asks the host while a prompt is
// being got.
func asksForPrompt() script.Script {
	return withFirstRules(promptScript("a"), script.Rule{Method: "prompts/get", Background: true, Do: []script.Step{
		{Ask: "elicitation/create", Params: FormParams}, {Result: heardAnswer},
	}})
}

// wantsForPrompt returns a server of 2026-07-28 that requires input for a prompt.
func wantsForPrompt() script.Script {
	return withFirstRules(promptScript("a"),
		script.Rule{Method: "prompts/get", Once: true, Do: []script.Step{{Result: InputRequiredResult}}},
		script.Rule{Method: "prompts/get", Do: []script.Step{{Result: heardMore}}})
}

var _ = Describe("A server that asks before it returns a prompt", func() {
	const accepted = `{"action":"accept","content":{"n":9007199254740993}}`
	more := func(state, responses string) string {
		return `,"arguments":{"code":"x"},"inputResponses":` + responses + `,"requestState":` + Quote(state)
	}

	It("asks an older host, as older servers do", func() {
		host := Older.Connect(AllCapabilities, Scripted("a", asksForPrompt()))

		id := host.Begin("prompts/get", host.Params(`"name":"dev__a_review"`))
		question := host.AwaitSent("elicitation/create", 1)
		Expect(string(question.Params)).To(Equal(FromServer("a", FormParams)))
		host.Reply(question, accepted)

		Expect(string(host.Await(id).Result)).To(Equal(`{"messages":[],"heard":{"result":` + accepted + `}}`))
	})

	It("asks an older host, as servers of 2026-07-28 do", func() {
		server := Scripted("a", Modern.Script(wantsForPrompt()))
		host := Older.Connect(AllCapabilities, server)

		id := host.Begin("prompts/get", host.Params(`"name":"dev__a_review","arguments":{"code":"x"}`))
		host.Reply(host.AwaitSent("roots/list", 1), `{"roots":[ ]}`)
		host.Reply(host.AwaitSent("elicitation/create", 1), accepted)

		Expect(string(host.Await(id).Result)).To(And(
			ContainSubstring(`"who":`+accepted), ContainSubstring(`"where":{"roots":[ ]}`), ContainSubstring(`"state":"state of 1/é"`)))
		Expect(server.ReceivedWith("prompts/get")).To(HaveEach(ContainSubstring(`"arguments":{"code":"x"}`)))
	})

	It("asks a host of 2026-07-28 by the result, as older servers do", func() {
		server := Scripted("a", asksForPrompt())
		host := Modern.Connect(AllCapabilities, server)

		wanted := RequiredInputOf(promptAnswer(host, "dev__a_review", ""))
		Expect(wanted.Requests[wanted.Key()].Method).To(Equal("elicitation/create"))
		answer := promptAnswer(host, "dev__a_review", more(wanted.State, `{"`+wanted.Key()+`":`+accepted+`}`))

		Expect(string(answer.Result)).To(Equal(`{"resultType":"complete","messages":[],"heard":{"result":` + accepted + `}}`))
		Expect(server.ReceivedWith("prompts/get")).To(HaveLen(1), "it is got once")
		Expect(promptAnswer(host, "dev__a_review", more(wanted.State, `{}`)).Code()).To(Equal(-32602), "it is over")
	})

	It("asks a host of 2026-07-28 by the result, as servers of 2026-07-28 do", func() {
		server := Scripted("a", Modern.Script(wantsForPrompt()))
		host := Modern.Connect(AllCapabilities, server, Scripted("b", Modern.Script(wantsForPrompt())))

		wanted := RequiredInputOf(promptAnswer(host, "dev__a_review", ""))
		Expect(WithoutSeals(Quote(wanted.State))).To(Equal(`"state of 1/é"`))
		answer := promptAnswer(host, "dev__a_review", more(wanted.State, `{"who":`+accepted+`,"where":{"roots":[ ]}}`))

		Expect(string(answer.Result)).To(Equal(`{"resultType":"complete","messages":[],"heard":{"who":` + accepted +
			`,"where":{"roots":[ ]}},"state":"state of 1/é"}`))
		Expect(server.ReceivedWith("prompts/get")).To(HaveLen(2))
	})
})
