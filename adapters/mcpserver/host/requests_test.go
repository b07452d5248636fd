package host_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
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
			h, c := initialized(able)
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
		h, _ := initialized(able)
		first, second := ask(ctx, h, "roots/list", ""), ask(ctx, h, "sampling/createMessage", "{}")

		answer(h, `{"jsonrpc":"2.0","id":2,"error":{"code":-1, "message":"no"}}`, `{"jsonrpc":"2.0","id":1,"result":{ "roots":[1e400]}}`,
			`{"jsonrpc":"2.0","id":1,"result":"again"}`)

		Expect(*first).To(Equal(asked{times: 1, result: `{ "roots":[1e400]}`}))
		Expect(*second).To(Equal(asked{times: 1, object: `{"code":-1, "message":"no"}`}))
	})

	It("is cancelled at the host when its context ends", spec.InBubble(func(t *testing.T) {
		h, c := initialized(able)
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
		h, c := initialized(able)
		ended, end := context.WithCancel(t.Context())
		end()
		for range 1000 {
			ask(ended, h, "roots/list", "")
			synctest.Wait()
			Expect(c.heard()).To(HaveExactElements(ContainSubstring(`"roots/list"`), ContainSubstring(`"notifications/cancelled"`)))
		}
	}))

	It("is refused when the host cannot do it", func(ctx SpecContext) {
		h, c := initialized(`{"sampling":{}}`)

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
		h, c := connected(`{}`)
		h.Notify(files, log("emergency", ""))
		h.Initialize()
		h.Disconnect()
		h.Notify(files, log("emergency", ""))

		Expect(c.heard()).To(BeEmpty())
	})

	It("is dropped below the level of the host", func() {
		h, c := initialized(`{}`)
		h.SetLogLevel("warning")
		for _, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "unknown"} {
			h.Notify(files, log(level, ""))
		}

		Expect(c.heard()).To(HaveLen(5))
	})

	It("reaches a host of 2026-07-28 through the newest request to the server that wants it", func(ctx SpecContext) {
		h, c := connected(`{}`)
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
		h, c := initialized(`{}`)

		h.Restarted(files, domain.ErrReplaced)

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"dev/files","level":"warning",` +
			`"data":"Server 'files' of toolbox 'dev' was restarted, and what it had in memory is gone: its configuration changed"}}`}))
	})

	DescribeTable("is written under the protocol's name if the workbench makes it", func(kind ports.NotificationKind, method string) {
		h, c := initialized(`{}`)

		h.Notify(files, ports.Notification{Kind: kind})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"` + method + `"}`}))
	},
		Entry(nil, ports.PromptsChanged, "notifications/prompts/list_changed"),
		Entry(nil, ports.ResourcesChanged, "notifications/resources/list_changed"),
		Entry(nil, ports.ResourceUpdated, "notifications/resources/updated"),
	)

	It("uses the host's id of a page", func() {
		h, c := initialized(`{}`)

		h.Notify(files, ports.Notification{Method: "notifications/elicitation/complete", Params: json.RawMessage(`{"elicitationId":7}`)})

		Expect(c.heard()).To(Equal([]string{`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"dev/files/7"}}`}))
	})
})
