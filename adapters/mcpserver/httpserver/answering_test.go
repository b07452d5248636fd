package httpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var files = domain.ServerID{Toolbox: "dev", Server: "files"}

var _ = Describe("A request of a host with a handshake", func() {
	It("is answered with one JSON object when nothing precedes the answer", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		r := h.use("7")
		Expect(r.code()).To(BeZero())
		h.handler.host().last().answer(`{ "content" : [], "n":9007199254740993}`)

		Expect(r.isOver()).To(BeTrue())
		Expect(r.sent.Get("Content-Type")).To(Equal("application/json"))
		Expect(r.text()).To(Equal(`{"jsonrpc":"2.0","id":7,"result":{ "content" : [], "n":9007199254740993}}`))
	}))

	It("is answered with a stream from the first notification on", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		r := h.use("7")
		h.handler.host().last().says("1")
		Expect(r.sent.Get("Content-Type")).To(Equal("text/event-stream"))
		Expect(r.sent.Get("X-Accel-Buffering")).To(Equal("no"))
		Expect(r.events()).To(Equal([]string{
			"1-0", `1-1 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"p"}}`,
		}))
		h.handler.host().last().answer(`{}`)

		Expect(r.isOver()).To(BeTrue())
		Expect(r.events()[2:]).To(Equal([]string{`1-2 {"jsonrpc":"2.0","id":7,"result":{}}`}))
	}))

	It("keeps line feeds of a result, and drops carriage returns between tokens", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		r := h.use("7")
		h.handler.host().last().says("1")
		h.handler.host().last().answer("{\n \"a\":\r\n 1}")

		Expect(r.events()[2]).To(Equal("1-2 {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\n \"a\":\n 1}}"))
	}))

	It("becomes a stream with keep-alive comments when it takes long", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		r := h.use("7")
		time.Sleep(15 * time.Second)
		synctest.Wait()
		Expect(r.text()).To(Equal("id: 1-0\nretry: 1000\ndata: \n\n"))
		time.Sleep(15 * time.Second)
		synctest.Wait()
		Expect(r.text()).To(Equal("id: 1-0\nretry: 1000\ndata: \n\n: alive\n\n"))
		h.handler.host().last().answer(`{}`)

		Expect(r.events()).To(Equal([]string{"1-0", `1-1 {"jsonrpc":"2.0","id":7,"result":{}}`}))
	}))

	It("continues when its connection is cut, and its answer is kept", Label("M02"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		first := h.use("7")
		h.handler.host().last().says("1")
		first.cut()
		Expect(first.isOver()).To(BeTrue())
		Expect(h.handler.host().last().ctx.Err()).NotTo(HaveOccurred())
		h.handler.host().last().says("2")
		h.handler.host().last().answer(`{"late":true}`)

		again := h.resume("1-1")

		Expect(again.isOver()).To(BeTrue())
		Expect(again.events()).To(HaveLen(2))
		Expect(again.events()[0]).To(HavePrefix(`1-2 {"jsonrpc":"2.0","method":"notifications/progress"`))
		Expect(again.events()[1]).To(Equal(`1-3 {"jsonrpc":"2.0","id":7,"result":{"late":true}}`))
	}))

	It("cannot be resumed five minutes after its answer, nor from an unknown event", Label("M03"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		h.use("7")
		h.handler.host().last().says("1")
		h.handler.host().last().answer(`{}`)
		Expect(h.resume("1-0").events()).To(HaveLen(2))

		time.Sleep(5*time.Minute + time.Second)
		for _, event := range []string{"1-0", "9-1", "x", "1-", "-1", "1-x"} {
			Expect(h.resume(event).code()).To(Equal(400), event)
		}
	}))

	It("is not answered if it was cancelled", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		r := h.use("7")

		Expect(h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).code()).To(Equal(202))

		Expect(r.code()).To(Equal(202))
		Expect(r.text()).To(BeEmpty())
		Expect(h.handler.host().last().ctx.Err()).To(HaveOccurred())
		h.handler.host().last().answer(`{}`)
		Expect(r.text()).To(BeEmpty())
	}))

	It("gets the requests and log messages of its server on its own stream, and everything else arrives on the other", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		general := h.get()
		older, newer := h.use("7"), h.use("8")
		server := h.handler.host().host

		var answer ports.Answer
		server.Request(h.handler.host().last().ctx, files, ports.Message{Method: string(mcp.MethodElicitationCreate), Params: []byte(`{"message":"?"}`)},
			func(given ports.Answer, _ error) {
				answer = ports.Answer{Result: json.RawMessage(string(given.Result))}
			})
		server.Notify(files, ports.Notification{Method: string(mcp.MethodNotificationMessage), Params: []byte(`{"level":"info","data":"x"}`)})
		server.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		server.Notify(domain.ServerID{Toolbox: "dev", Server: "other"}, ports.Notification{Method: string(mcp.MethodNotificationMessage), Params: []byte(`{"level":"info","data":"y"}`)})
		synctest.Wait()

		Expect(older.code()).To(BeZero())
		Expect(newer.events()[1:]).To(Equal([]string{
			`1-1 {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Server 'files' (toolbox 'dev') asks:\n?"}}`,
			`1-2 {"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"dev/files","level":"info","data":"x"}}`,
		}))
		Expect(general.events()).To(Equal([]string{
			`0-1 {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`,
			`0-2 {"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"dev/other","level":"info","data":"y"}}`,
		}))
		Expect(h.post(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`).code()).To(Equal(202))
		Expect(string(answer.Result)).To(Equal(`{"action":"accept"}`))
		general.cut()
		h.handler.Close()
	}))

	It("can have several lines, and its arguments keep them", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		h.post("{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"use_tool\",\"arguments\":" +
			"{\"tool\":{\"toolbox\":\"dev\",\"server\":\"s\",\"tool\":\"t\"},\"arguments\":{\n\t\"a\":\"b\\n\"\r}}}}")

		Expect(string(h.handler.host().last().Arguments)).To(Equal("{\n\t\"a\":\"b\\n\"\r}"))
		h.handler.host().last().answer(`{}`)
	}))

	It("is refused above the limit, by its declared or its actual length", Label("M05"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		long := request(`"me"`, "ping", `{"x":"`+strings.Repeat("x", 1<<20)+`"}`)

		r := h.post(long)

		Expect(r.code()).To(Equal(413))
		Expect(r.text()).To(ContainSubstring("limits.messageSize raises it"))
		Expect(r.sent.Get("Connection")).To(Equal("close"))
		chunked := h.handler.beginChunked(h.caller, h.headers(), long)
		Expect(chunked.code()).To(Equal(413))
		Expect(chunked.text()).To(HavePrefix(`{"jsonrpc":"2.0","id":"me","error":{"code":-32600,`))
	}))
})
