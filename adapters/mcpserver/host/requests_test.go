package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// asked is the answer to a request of a server.
type asked struct {
	times          int
	result, object string
	err            error
}

// ask has the server "files" ask the host.
func ask(ctx context.Context, h *host.Host, method, params string) *asked {
	got := &asked{}
	request := ports.Message{Method: method}
	if params != "" {
		request.Params = json.RawMessage(params)
	}
	h.Request(ctx, files, request, func(answer ports.Answer, err error) {
		got.times++
		got.result, got.object, got.err = string(answer.Result), string(answer.Error), err
	})
	return got
}

var _ = Describe("A request of a server", func() {
	const able = `{"elicitation":{},"sampling":{"x":1},"roots":{"listChanged":true}}`

	DescribeTable("names the server, and otherwise keeps the server's bytes",
		func(ctx SpecContext, method, params, sent string) {
			h, c := initializedHost(able)
			ask(ctx, h, method, params)
			Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + sent + `}`}))
		},
		Entry("a form", "elicitation/create", `{ "message" : "?", "n":9007199254740993}`,
			`,"params":{ "message" : "Server 'files' (toolbox 'dev') asks:\n?", "n":9007199254740993}`),
		Entry("a page", "elicitation/create", `{"mode":"url","url":"https://a.example/x","elicitationId":"a/1"}`,
			`,"params":{"message":"Server 'files' (toolbox 'dev') asks:\nIt asks to open a page of \"a.example\".",`+
				`"mode":"url","url":"https://a.example/x","elicitationId":"dev/files/a/1"}`),
		Entry("sampling", "sampling/createMessage", `{"a":1 }`, `,"params":{"_meta":{"mcp-workbench/server":"dev/files"},"a":1 }`),
		Entry("roots", "roots/list", "", ``),
	)

	It("gets the answer with its id, once, in the host's bytes", func(ctx SpecContext) {
		h, _ := initializedHost(able)
		first, second := ask(ctx, h, "roots/list", ""), ask(ctx, h, "sampling/createMessage", "{}")

		answer(h, `{"jsonrpc":"2.0","id":2,"error":{"code":-1, "message":"no"}}`, `{"jsonrpc":"2.0","id":1,"result":{ "roots":[1e400]}}`,
			`{"jsonrpc":"2.0","id":1,"result":"again"}`)

		Expect(*first).To(Equal(asked{times: 1, result: `{ "roots":[1e400]}`}))
		Expect(*second).To(Equal(asked{times: 1, object: `{"code":-1, "message":"no"}`}))
	})

	It("is cancelled at the host when its context ends", spec.InBubble(func(t *testing.T) {
		h, c := initializedHost(able)
		ctx, cancel := context.WithCancel(t.Context())
		got := ask(ctx, h, "roots/list", "")
		c.heard()
		cancel()
		synctest.Wait()

		Expect(c.heard()).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the request was abandoned"}}`,
		}))
		answer(h, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		Expect(*got).To(Equal(asked{times: 1, err: context.Canceled}))
	}))

	It("is never cancelled before it was sent", spec.InBubble(func(t *testing.T) {
		h, c := initializedHost(able)
		ended, end := context.WithCancel(t.Context())
		end()
		for range 1000 {
			ask(ended, h, "roots/list", "")
			synctest.Wait()
			Expect(c.heard()).To(HaveExactElements(ContainSubstring(`"roots/list"`), ContainSubstring(`"notifications/cancelled"`)))
		}
	}))

	It("is refused when the host cannot do it", Label("W12"), func(ctx SpecContext) {
		h, c := initializedHost(`{"sampling":{}}`)

		Expect(*ask(ctx, h, "elicitation/create", "{}")).To(Equal(
			asked{times: 1, object: `{"code":-32601,"message":"the host does not support elicitation/create"}`}))
		Expect(c.heard()).To(BeEmpty())
	})

	It("follows the latest capabilities of the host", func() {
		h := host.New(nil)
		Expect(string(h.Capabilities())).To(Equal("{}"))
		h.Declare(json.RawMessage(`{ "roots":{}}`))
		Expect(string(h.Capabilities())).To(Equal(`{ "roots":{}}`))
		h.Declare(json.RawMessage(`[]`))
		Expect(string(h.Capabilities())).To(Equal(`{ "roots":{}}`))
	})
})

var _ = Describe("A notification of a server", func() {
	log := func(level, more string) ports.Notification {
		return ports.Notification{Method: "notifications/message", Params: json.RawMessage(`{"level":"` + level + `"` + more + `,"data":{"n":1.0}}`)}
	}

	It("does not reach a host that is not connected, or did not finish its handshake", func() {
		h, c := connectedHost(`{}`)
		h.Notify(files, log("emergency", ""))
		h.Initialize()
		h.Disconnect()
		h.Notify(files, log("emergency", ""))

		Expect(c.heard()).To(BeEmpty())
	})

	It("is dropped below the level of the host", func() {
		h, c := initializedHost(`{}`)
		h.SetLogLevel("warning")
		for _, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "unknown"} {
			h.Notify(files, log(level, ""))
		}

		Expect(c.heard()).To(HaveLen(5))
	})

	It("reaches a host of 2026-07-28 through the newest request to the server that wants it", func(ctx SpecContext) {
		h, c := connectedHost(`{}`)
		older, newer, mail := &connection{}, &connection{}, &connection{}
		ended, end := context.WithCancel(ctx)
		Expect(h.WantLogs(ctx, older, files, "error")).To(Equal("error"))
		Expect(h.WantLogs(ended, newer, files, "info")).To(Equal("info"))
		Expect(h.WantLogs(ctx, mail, domain.ServerID{Toolbox: "dev", Server: "mail"}, "debug")).To(Equal("debug"))

		h.Notify(files, log("warning", ""))
		Expect(newer.heard()).To(HaveExactElements(And(ContainSubstring(`"logger":"dev/files"`), ContainSubstring(`"data":{"n":1.0}`))))
		end()
		h.Notify(files, log("warning", ""))
		h.Notify(files, log("error", ""))

		Expect(older.heard()).To(HaveExactElements(ContainSubstring(`"level":"error"`)))
		Expect([][]string{c.heard(), newer.heard(), mail.heard()}).To(HaveEach(BeEmpty()))
	})

	It("is a log message of the workbench about a server that was restarted", func() {
		h, c := initializedHost(`{}`)

		h.Restarted(files, domain.ErrReplaced)

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"dev/files","level":"warning",` +
			`"data":"Server 'files' of toolbox 'dev' was restarted, and what it had in memory is gone: its configuration changed"}}`}))
	})

	DescribeTable("is written under the protocol's name if the workbench makes it", func(kind ports.NotificationKind, method string) {
		h, c := initializedHost(`{}`)

		h.Notify(files, ports.Notification{Kind: kind})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"` + method + `"}`}))
	},
		Entry(nil, ports.PromptsChanged, "notifications/prompts/list_changed"),
		Entry(nil, ports.ResourcesChanged, "notifications/resources/list_changed"),
		Entry(nil, ports.ResourceUpdated, "notifications/resources/updated"),
	)

	It("uses the host's id of a page", func() {
		h, c := initializedHost(`{}`)

		h.Notify(files, ports.Notification{Method: "notifications/elicitation/complete", Params: json.RawMessage(`{"elicitationId":7}`)})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"dev/files/7"}}`}))
	})
})

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
	h, _ = connectedHost(`{"elicitation":{}}`)
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
		h, c := initializedHost(`{"elicitation":{}}`)
		about := question
		about.Meta = json.RawMessage(`"agent-tool-call-request-id":"call_1","traceparent":"00-1","baggage":"a=b","x":[1]`)

		h.Confirm(ctx, about, func(domain.ConfirmationAnswer) {})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` +
			strings.TrimSuffix(questionParams, "}") + `,"_meta":{"agent-tool-call-request-id":"call_1","x":[1]}}}`}))
	})

	DescribeTable("is confirmed by its one choice, and by nothing else",
		func(ctx SpecContext, given string, expected domain.ConfirmationAnswer) {
			h, c := initializedHost(`{"elicitation":{}}`)
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
		h, _ := initializedHost(capabilities)
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
			func() *host.Host { h, _ := connectedHost(`{"elicitation":{}}`); return h },
			func() *host.Host { h, _ := initializedHost(`{"elicitation":{}}`); h.Disconnect(); return h },
		} {
			var asked confirming
			prepare().Confirm(ctx, question, asked.came)
			Expect(asked.answers).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationImpossible}))
		}
	})

	It("is sent on the stream of the request that it is about, if that has one", func(ctx SpecContext) {
		h, c := initializedHost(`{"elicitation":{}}`)
		way := &connection{}

		h.Through(way).Confirm(ctx, question, (&confirming{}).came)

		Expect(way.heard()).To(HaveLen(1))
		Expect(c.heard()).To(BeEmpty())
	})

	It("ignores unknown ids and later answers, and does not take an error for a yes", func(ctx SpecContext) {
		h, _ := initializedHost(`{"elicitation":{}}`)
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

var _ = DescribeTable("Requests in a result that are no object, which some hosts read nevertheless, are refused", Label("TG09"), func(requests string) {
	result := json.RawMessage(`{"resultType":"input_required","inputRequests":` + requests + `}`)

	_, err := host.Attributed(domain.ServerID{Toolbox: "dev", Server: "evil"}, ports.Answer{Result: result})

	Expect(err).To(MatchError(ContainSubstring("is not an object")))
},
	Entry("a list", `[{"method":"elicitation/create","params":{"message":"Your password?"}}]`),
	Entry("a text", `"elicitation/create"`),
)

var _ = Describe("A host without a user and a model", func() {
	It("declares all capabilities, or none", func() {
		var declared map[string]any
		Expect(json.Unmarshal(host.Unattended{IsCapable: true}.Capabilities(), &declared)).To(Succeed())
		Expect(declared).To(And(HaveLen(4), HaveKey("roots"), HaveKey("sampling"), HaveKey("elicitation"), HaveKey("tasks")))
		Expect(string(host.Unattended{}.Capabilities())).To(Equal("{}"))
	})

	DescribeTable("answers", func(ctx SpecContext, method, want string) {
		replies := 0
		host.Unattended{IsCapable: true}.Request(ctx, domain.ServerID{}, ports.Message{Method: method}, func(answer ports.Answer, err error) {
			replies++
			Expect(err).NotTo(HaveOccurred())
			Expect(string(answer.Result) + string(answer.Error)).To(Equal(want))
		})
		Expect(replies).To(Equal(1))
	},
		Entry("that it has no roots", "roots/list", `{"roots":[]}`),
		Entry("that the user declines", "elicitation/create", `{"action":"decline"}`),
		Entry("that there is no model", "sampling/createMessage", `{"code":-1,"message":"no model is there to answer"}`),
		Entry("that it knows nothing else", "tasks/list", `{"code":-32601,"message":"no host is there to answer"}`),
	)
})
