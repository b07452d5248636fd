package mcpserver_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// files is the server that most specs are about.
var files = domain.ServerID{Toolbox: "dev", Server: "files"}

// asked is the answer to a question of a server.
type asked struct {
	times          int
	result, object string
	err            error
}

// ask has the server ask the host.
func (w *workbench) ask(ctx context.Context, method, params string) *asked {
	got := &asked{}
	request := ports.Message{Method: method}
	if params != "" {
		request.Params = json.RawMessage(params)
	}
	w.host.Request(ctx, files, request, func(answer ports.Answer, err error) {
		got.times++
		got.result, got.object, got.err = string(answer.Result), string(answer.Error), err
	})
	return got
}

var _ = Describe("Asking a host with a handshake", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	const able = `{"elicitation":{},"sampling":{"x":1},"roots":{"listChanged":true}}`

	It("asks every question of a server of 2026-07-28, and passes the answers on together", spec.InBubble(func(t *testing.T) {
		server := &slowServer{}
		w.use = server.use
		c := w.begin(t)
		c.send(initialize(able), useTool("1", read))
		var more string
		var failure error
		supplied := func(members json.RawMessage, err error) { more, failure = string(members), err }
		wanted := json.RawMessage(`{"resultType":"input_required","requestState":"s t","inputRequests":{` +
			`"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"message":"x"}}}}`)

		Expect(c.hears(func() { server.calls[0].Input(wanted, supplied) })).To(Equal([]string{
			`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`,
			`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Server 'files' (toolbox 'dev') asks:\nx"}}`,
		}))
		c.send(`{"jsonrpc":"2.0","id":2,"result":{"action":"decline"}}`)
		Expect(more).To(BeEmpty())
		c.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)

		Expect(failure).NotTo(HaveOccurred())
		Expect(more).To(Equal(`"inputResponses":{"b":{"action":"decline"},"a":{"roots":[]}},"requestState":"s t"`))

		server.calls[0].Input(json.RawMessage(`{"requestState":"only"}`), supplied)
		Expect(more).To(Equal(`"requestState":"only"`))

		server.calls[0].Input(json.RawMessage(`{"inputRequests":{"a":{"method":"roots/list"}}}`), supplied)
		synctest.Wait()
		c.send(`{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"not now"}}`)
		Expect(failure).To(MatchError("it asked for roots/list, and the host answered: not now"))
	}))
})

var _ = Describe("A notification of a server", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	log := func(level, more string) ports.Notification {
		return ports.Notification{Method: "notifications/message", Params: json.RawMessage(`{"level":"` + level + `"` + more + `,"data":{"n":1.0}}`)}
	}

	It("reaches a host with a handshake, with the server in front of the logger", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.hears(func() {
			w.host.Notify(files, log("debug", ""))
			w.host.Notify(files, log("info", `,"logger":"db"`))
			w.host.Notify(files, ports.Notification{Method: "notifications/subscriptions/acknowledged"})
			w.host.Notify(files, ports.Notification{Method: "notifications/x", Params: json.RawMessage(`{"a":1 }`)})
		})).To(HaveExactElements(
			And(ContainSubstring(`"logger":"dev/files"`), ContainSubstring(`"data":{"n":1.0}`)),
			And(ContainSubstring(`"logger":"dev/files/db"`), Not(ContainSubstring(`"logger":"db"`))),
			Equal(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1 }}`),
		))
	}))

	It("respects the log level of the host", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		Expect(c.send(initialize("{}"), request("1", "logging/setLevel", `{"level":"warning"}`))[1]).To(Equal(resultLine("1", "{}")))
		Expect(w.heard()).To(Equal([]string{"log level warning"}))

		Expect(c.hears(func() {
			for _, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "unheard of"} {
				w.host.Notify(files, log(level, ""))
			}
		})).To(HaveLen(5))
	}))

	It("is sent despite an unknown level", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		for _, level := range []string{`"loud"`, `7`, `null`, `""`} {
			Expect(c.send(request("1", "logging/setLevel", `{"level":`+level+`}`))).To(Equal([]string{errorLine("1", -32602,
				"level must be one of debug, info, notice, warning, error, critical, alert and emergency")}))
		}
		Expect(w.heard()).To(BeEmpty())
	}))

	It("reaches a host of 2026-07-28 during a call that asks for it", spec.InBubble(func(t *testing.T) {
		server := &slowServer{}
		w.use = server.use
		c := w.begin(t)
		c.send(request("1", "tools/call", `{"name":"use_tool","arguments":`+read+
			`,"_meta":{"io.modelcontextprotocol/logLevel":"error",`+modernMeta+`}}`))

		Expect(c.hears(func() {
			w.host.Notify(files, log("warning", ""))
			w.host.Notify(files, log("error", ""))
			w.host.Notify(domain.ServerID{Toolbox: "dev", Server: "db"}, log("error", ""))
			server.answer(0, `{}`)
			w.host.Notify(files, log("error", ""))
		})).To(HaveExactElements(ContainSubstring(`"level":"error"`), ContainSubstring(`"resultType":"complete"`)))
		Expect(w.calls()[0].logLevel).To(Equal("error"))
	}))

	It("about changed roots is passed on from the host to the servers", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		c.send(notification("notifications/roots/list_changed", "{}"))

		Expect(w.heard()).To(Equal([]string{"roots"}))
	}))
})
