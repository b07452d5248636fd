package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// yesOnce is the answer of a user who allows a call.
const yesOnce = `{"action":"accept","content":{"decision":"yes, once"}}`

// question is about a call of read.
var question = domain.ConfirmationQuestion{
	Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, Called: "read",
	Given: json.RawMessage(`{"n":1}`), Arguments: json.RawMessage(`{"n":1}`),
}

// questionParams are the parameters of the question.
const questionParams = `{"message":"MCP Workbench asks:\nA call needs your approval. The tool is called only if you allow it.\nTool: \"read\"\n` +
	`Server: \"files\" in the toolbox \"dev\"\nArguments:\n  \"n\": 1","requestedSchema":{"type":"object","properties":` +
	`{"decision":{"type":"string","title":"Allow this call?","enum":["yes, once","yes, for this session","no"]}},"required":["decision"]}}`

// confirming is a question that was asked, and the answers that came.
type confirming struct{ answers []domain.ConfirmationAnswer }

func (c *confirming) came(answer domain.ConfirmationAnswer) { c.answers = append(c.answers, answer) }

// continuing is the request of a host of 2026-07-28 that a call answers.
type continuing struct{ results []string }

func (c *continuing) waiter() host.Waiter {
	return host.Waiter{Reply: func(answer ports.Answer) bool {
		c.results = append(c.results, string(answer.Result))
		return true
	}}
}

// askedInRounds asks the question in a call of a host of 2026-07-28. It returns the call, with the
// state that the host was given.
func askedInRounds(ctx context.Context) (h *host.Host, call *host.Call, state string, asked *confirming) {
	h, _ = connected(`{"elicitation":{}}`)
	asked = &confirming{}
	first := &continuing{}
	call = h.BeginCall(ctx, files, time.Minute, first.waiter())
	call.Confirm(call.Context(), question, asked.came)
	Expect(first.results).To(HaveLen(1))
	result := json.RawMessage(first.results[0])
	Expect(string(rawjson.Member(result, "inputRequests"))).To(Equal(`{"1":{"method":"elicitation/create","params":` + questionParams + `}}`))
	return h, call, rawjson.Text(rawjson.Member(result, "requestState")), asked
}

var _ = Describe("A question before a call", Label("K02"), func() {
	It("has the host's own members of the _meta of its call, by which the host knows the call", func(ctx SpecContext) {
		h, c := initialized(`{"elicitation":{}}`)
		about := question
		about.Meta = json.RawMessage(`"agent-tool-call-request-id":"call_1","traceparent":"00-1","baggage":"a=b","x":[1]`)

		h.Confirm(ctx, about, func(domain.ConfirmationAnswer) {})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` +
			strings.TrimSuffix(questionParams, "}") + `,"_meta":{"agent-tool-call-request-id":"call_1","x":[1]}}}`}))
	})

	DescribeTable("is confirmed by its one choice, and by nothing else",
		func(ctx SpecContext, given string, expected domain.ConfirmationAnswer) {
			h, c := initialized(`{"elicitation":{}}`)
			var asked confirming
			h.Confirm(ctx, question, asked.came)
			Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` + questionParams + `}`}))
			answer(h, `{"jsonrpc":"2.0","id":1,"result":`+given+`}`)
			Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{expected}), "at a host with a handshake")

			_, call, _, inRounds := askedInRounds(ctx)
			Expect(call.Continue(ctx, json.RawMessage(`{"1":`+given+`}`), (&continuing{}).waiter())).To(BeTrue())
			Expect(inRounds.answers).To(Equal([]domain.ConfirmationAnswer{expected}), "at a host of 2026-07-28")
		},
		Entry("once", yesOnce, domain.ConfirmedOnce),
		Entry("for the session", `{"content":{"decision":"yes, for this session"},"action":"accept"}`, domain.ConfirmedForSession),
		Entry("no", `{"action":"accept","content":{"decision":"no"}}`, domain.ConfirmationDeclined),
		Entry("declined", `{"action":"decline"}`, domain.ConfirmationDeclined),
		Entry("declined with a choice", `{"action":"decline","content":{"decision":"yes, once"}}`, domain.ConfirmationDeclined),
		Entry("closed", `{"action":"cancel"}`, domain.ConfirmationUnclear),
		Entry("nothing chosen", `{"action":"accept","content":{}}`, domain.ConfirmationUnclear),
		Entry("no content", `{"action":"accept"}`, domain.ConfirmationUnclear),
		Entry("content that is null", `{"action":"accept","content":null}`, domain.ConfirmationUnclear),
		Entry("content that is a string", `{"action":"accept","content":"yes, once"}`, domain.ConfirmationUnclear),
		Entry("another choice", `{"action":"accept","content":{"decision":"yes"}}`, domain.ConfirmationUnclear),
		Entry("another case", `{"action":"accept","content":{"decision":"Yes, once"}}`, domain.ConfirmationUnclear),
		Entry("a choice that is not a string", `{"action":"accept","content":{"decision":true}}`, domain.ConfirmationUnclear),
		Entry("a list of choices", `{"action":"accept","content":{"decision":["yes, once"]}}`, domain.ConfirmationUnclear),
		Entry("another field", `{"action":"accept","content":{"Decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("two choices", `{"action":"accept","content":{"decision":"no","decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("two actions", `{"action":"decline","action":"accept","content":{"decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("two contents", `{"action":"accept","content":{},"content":{"decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("no action", `{"content":{"decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("an action that is not a string", `{"action":["accept"],"content":{"decision":"yes, once"}}`, domain.ConfirmationUnclear),
		Entry("a text", `"accept"`, domain.ConfirmationUnclear),
		Entry("a list", `[{"action":"accept","content":{"decision":"yes, once"}}]`, domain.ConfirmationUnclear),
		Entry("null", `null`, domain.ConfirmationUnclear),
		Entry("true", `true`, domain.ConfirmationUnclear),
	)

	DescribeTable("is only for hosts that show forms", func(capabilities string, expected bool) {
		h, _ := initialized(capabilities)
		Expect(h.CanConfirm()).To(Equal(expected))

		var asked confirming
		h.Confirm(context.Background(), question, asked.came)
		if expected {
			Expect(asked.answers).To(BeEmpty())
		} else {
			Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationImpossible}))
		}
	},
		Entry("a host with an empty elicitation, which means forms", `{"elicitation":{}}`, true),
		Entry("a host that declares forms", `{"elicitation":{"form":{}}}`, true),
		Entry("a host that shows forms and pages", `{"elicitation":{"url":{},"form":{}}}`, true),
		Entry("a host that declares something new, too", `{"elicitation":{"x":{}}}`, true),
		Entry("not one that shows pages only", `{"elicitation":{"url":{}}}`, false),
		Entry("not one that declares null", `{"elicitation":{"form":null}}`, false),
		Entry("not one without elicitation", `{}`, false),
		Entry("not one with an invalid elicitation", `{"elicitation":true}`, false),
		Entry("not one with a null elicitation", `{"elicitation":null}`, false),
	)

	It("is impossible before the handshake and after the connection ended", func(ctx SpecContext) {
		for _, prepare := range []func() *host.Host{
			func() *host.Host { h, _ := connected(`{"elicitation":{}}`); return h },
			func() *host.Host { h, _ := initialized(`{"elicitation":{}}`); h.Disconnect(); return h },
		} {
			var asked confirming
			prepare().Confirm(ctx, question, asked.came)
			Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationImpossible}))
		}
	})

	It("is sent on the stream of the request that it is about, if that has one", func(ctx SpecContext) {
		h, c := initialized(`{"elicitation":{}}`)
		way := &connection{}

		h.Through(way).Confirm(ctx, question, (&confirming{}).came)

		Expect(way.heard()).To(HaveLen(1))
		Expect(c.heard()).To(BeEmpty())
	})

	It("ignores unknown ids and later answers, and does not take an error for a yes", func(ctx SpecContext) {
		h, _ := initialized(`{"elicitation":{}}`)
		var asked confirming
		h.Confirm(ctx, question, asked.came)

		for _, id := range []string{"2", `"1"`, "1.0", "null"} {
			answer(h, `{"jsonrpc":"2.0","id":`+id+`,"result":`+yesOnce+`}`)
		}
		Expect(asked.answers).To(BeEmpty())
		answer(h, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`, `{"jsonrpc":"2.0","id":1,"result":`+yesOnce+`}`)

		Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationFailed}))
	})

	It("belongs to the same call with the same bytes", func(ctx SpecContext) {
		h, call, state, _ := askedInRounds(ctx)

		Expect(h.CallOf(files, state)).To(BeIdenticalTo(call))
		Expect(h.CallOf(domain.ServerID{Toolbox: "dev", Server: "mail"}, state)).To(BeNil())
		Expect(h.CallOf(files, state[:len(state)-1])).To(BeNil())
		Expect(call.NeedsYes()).To(BeTrue())
		Expect(call.IsContinuedBy("read", question.Given)).To(BeTrue())
		Expect(call.IsContinuedBy("erase", question.Given)).To(BeFalse())
		Expect(call.IsContinuedBy("read", json.RawMessage(`{"n": 1}`))).To(BeFalse())
	})

	It("is repeated when a continued call has no answer", func(ctx SpecContext) {
		_, call, _, asked := askedInRounds(ctx)
		again := &continuing{}

		Expect(call.Continue(ctx, json.RawMessage(`{"2":`+yesOnce+`}`), again.waiter())).To(BeTrue())

		Expect(again.results).To(HaveExactElements(ContainSubstring(`"resultType":"input_required"`)))
		Expect(asked.answers).To(BeEmpty())
	})

	It("is withdrawn when its call ends", func(ctx SpecContext) {
		_, call, _, asked := askedInRounds(ctx)

		call.Finish(ports.Answer{})
		Expect(call.Continue(ctx, nil, (&continuing{}).waiter())).To(BeTrue(), "the outcome is for the host")

		Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationWithdrawn}))
	})
})
