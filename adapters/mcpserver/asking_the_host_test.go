package mcpserver_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
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

var _ = Describe("Subscriptions of a host of 2026-07-28 to resources", func() {
	var w *workbench
	var asked []string
	var replies []ports.Reply
	BeforeEach(func() {
		w, asked, replies = newWorkbench(), nil, nil
		words := map[ports.ResourcePurpose]string{ports.SubscribeResource: "subscribe ", ports.UnsubscribeResource: "unsubscribe "}
		w.resource = func(uri string, _ ports.Message, reply ports.Reply) {
			asked = append(asked, words[w.lastPurpose()]+uri)
			replies = append(replies, reply)
		}
	})
	listen := func(id string) string {
		return modern(id, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["a"]}`)
	}
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	// succeed answers the last request.
	succeed := func(c *conversation) {
		c.hears(func() { replies[len(replies)-1](ports.Answer{Result: json.RawMessage("{}")}, nil) })
	}

	It("are passed on to servers, as is the end of the last one", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		succeed(c)
		c.send(listen("2"))
		succeed(c)

		c.send(cancel("1"))
		Expect(asked).To(Equal([]string{"subscribe a", "subscribe a"}))
		c.send(cancel("2"))
		Expect(asked).To(Equal([]string{"subscribe a", "subscribe a", "unsubscribe a"}))
		succeed(c)
		c.send(listen("3"))
		Expect(asked).To(HaveLen(4))
	}))

	It("are at most a thousand, with at most 8 KiB each, and no more are acknowledged", Label("TG04"), spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		listenTo := func(id string, uris ...string) []string {
			return c.send(modern(id, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["`+strings.Join(uris, `","`)+`"]}`))
		}
		var many []string
		for i := range 3000 {
			many = append(many, strconv.Itoa(i))
		}

		heard := listenTo("1", append([]string{strings.Repeat("a", 8<<10+1)}, many...)...)
		Expect(asked).To(HaveLen(1000))
		Expect(heard[0]).To(And(ContainSubstring(`["0","1",`), HaveSuffix(`"998","999"]}}}`)))
		Expect(listenTo("2", "b")[0]).NotTo(ContainSubstring("resourceSubscriptions"))
		Expect(asked).To(HaveLen(1000))

		c.send(cancel("1"))
		Expect(listenTo("3", "b")[0]).To(ContainSubstring(`"resourceSubscriptions":["b"]`))
	}))

	It("are passed on one after the other", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		c.send(cancel("1"))
		c.send(listen("2"))
		c.send(cancel("2"))
		Expect(asked).To(Equal([]string{"subscribe a"}))

		succeed(c)
		Expect(asked).To(Equal([]string{"subscribe a", "unsubscribe a"}))
		c.send(listen("3"))
		Expect(asked).To(HaveLen(2))
		succeed(c)
		Expect(asked).To(Equal([]string{"subscribe a", "unsubscribe a", "subscribe a"}))
	}))

	It("do not end at servers where they never began", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		c.hears(func() { replies[0](ports.Answer{}, domain.ErrResourceNotFound) })

		c.send(cancel("1"))

		Expect(asked).To(Equal([]string{"subscribe a"}))
	}))

	It("are not ended one by one when the conversation ends", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		succeed(c)

		c.hears(c.end)

		Expect(asked).To(Equal([]string{"subscribe a"}))
	}))
})
