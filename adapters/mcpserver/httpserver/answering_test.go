package httpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
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

	It("is answered in JSON where the host accepts nothing else, however long it takes, and what comes before goes to its session", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		headers := h.headers()
		headers["Accept"] = "application/json"

		r := h.handler.begin(anonymous, "POST", headers, request("7", "tools/call", using("")))
		h.handler.host().last().says("1")
		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(r.code()).To(BeZero())
		h.handler.host().last().answer(`{}`)

		Expect(r.isOver()).To(BeTrue())
		Expect(r.sent.Get("Content-Type")).To(Equal("application/json"))
		Expect(r.text()).To(Equal(`{"jsonrpc":"2.0","id":7,"result":{}}`))
		heard := h.get()
		Expect(heard.events()).To(HaveExactElements(ContainSubstring(`"progress":1`)))
		heard.cut()
	}))

	It("is answered with a stream where the host accepts nothing else", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		headers := h.headers()
		headers["Accept"] = "text/event-stream"

		r := h.handler.begin(anonymous, "POST", headers, request("7", "tools/call", using("")))
		h.handler.host().last().answer(`{}`)

		Expect(r.isOver()).To(BeTrue())
		Expect(r.sent.Get("Content-Type")).To(Equal("text/event-stream"))
		Expect(r.events()).To(Equal([]string{"1-0", `1-1 {"jsonrpc":"2.0","id":7,"result":{}}`}))
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

// waitedFor is the context of a request, which does something first when its handler waits for it.
type waitedFor struct {
	context.Context //nolint:containedctx // the type is a context itself
	first           func()
}

func (c waitedFor) Done() <-chan struct{} {
	c.first()
	return c.Context.Done()
}

var _ = Describe("An answer that comes right before its session ends", func() {
	It("is sent", spec.InBubble(func(t *testing.T) {
		d := newTestHandler().open()
		for range 32 { // either could be noticed first
			h := d.connect(ann)
			host := d.host()
			ended := sync.OnceFunc(func() {
				host.last().reply(ports.Answer{Result: json.RawMessage(`{"content":[]}`)}, nil)
				d.begin(ann, "DELETE", h.headers(), "")
			})
			ctx := waitedFor{callers.WithAccess(t.Context(), ann), func() {
				if host.count() > 0 {
					ended()
				}
			}}
			r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(request("2", "tools/call", using("")))).WithContext(ctx)
			for name, value := range h.headers() {
				r.Header.Set(name, value)
			}
			response := httptest.NewRecorder()

			d.ServeHTTP(response, r)

			Expect(response.Code).To(Equal(200), response.Body.String())
			Expect(response.Body.String()).To(ContainSubstring(`"content":[]`))
		}
	}))
})

var _ = Describe("Bad input of a host", func() {
	It("of 2026-07-28 that is cut anywhere in a body calls nothing", Label("M07"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		p, end := d.listenOn()
		call := modernCall()
		head := "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		for name, value := range modernHeaders("tools/call", "use_tool") {
			head += name + ": " + value + "\r\n"
		}
		send := func(line, body string) *wire {
			w := p.dial()
			w.send(head + line + "\r\n\r\n" + body)
			return w
		}
		chunked := fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 20, call[:20], len(call)-20, call[20:])
		for at := range len(chunked) {
			cut := []*wire{send("Transfer-Encoding: chunked", chunked[:at])}
			if at < len(call) {
				cut = append(cut, send(fmt.Sprint("Content-Length: ", len(call)), call[:at]))
			}
			for _, w := range cut {
				Expect(w.Close()).To(Succeed())
			}
			synctest.Wait()
		}
		Expect(d.calls()).To(BeZero(), "there is not even a host")

		whole := send("Transfer-Encoding: chunked", chunked)
		Expect(d.host().count()).To(Equal(1))
		Expect(whole.Close()).To(Succeed())
		end()
	}))

	It("in the early data of a connection, which an attacker can send again, calls nothing", Label("M07"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		headers := modernHeaders("tools/call", "use_tool")
		headers["Early-Data"] = "1"

		Expect(d.begin(anonymous, "POST", headers, modernCall()).code()).To(Equal(425))
		Expect(d.calls()).To(BeZero())
	}))

	It("with an event of another host yields nothing of that host", Label("M03"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		owner := d.connect(ann)
		theirs := d.host()
		silent := owner.get()
		theirs.host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged, Params: []byte(`{"x":"of ann"}`)})
		first := owner.use("7")
		theirs.last().says("77")
		first.cut()
		silent.cut()
		theirs.last().answer(`{"x":"of ann"}`)

		for _, caller := range []callers.Access{ann, bob, anonymous} {
			other := d.connect(caller)
			for _, event := range []string{"0-0", "0-1", "1-0", "1-1", "1-2"} {
				got := other.resume(event)
				Expect(got.text()).NotTo(Or(ContainSubstring("of ann"), ContainSubstring("77")), event)
				got.cut()
			}
			if caller.Identity != ann.Identity {
				stolen := &olderHost{handler: d, caller: caller, session: owner.session}
				Expect(stolen.resume("1-0").code()).To(Equal(404))
			}
			Expect(d.begin(caller, "DELETE", other.headers(), "").code()).To(Equal(200))
		}

		Expect(owner.resume("1-1").text()).To(ContainSubstring("of ann"), "it is kept for its owner")
		d.Close()
	}))
})

var _ = Describe("A call over HTTP that needs approval", func() {
	question := domain.ConfirmationQuestion{
		Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "t"}, Called: "t", Arguments: json.RawMessage(`{}`),
	}
	const yes = `{"action":"accept","content":{"decision":"yes, once"}}`

	It("gets its question on its own stream, beside other calls", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		first := h.use("7")
		call := h.handler.host().last()
		other := h.use("8")
		came := domain.ConfirmationUnclear

		call.Confirmer.Confirm(call.ctx, question, func(answer domain.ConfirmationAnswer) { came = answer })
		synctest.Wait()

		Expect(first.events()).To(ContainElement(ContainSubstring(`"id":1,"method":"elicitation/create"`)))
		Expect(other.text()).NotTo(ContainSubstring("elicitation"))
		Expect(h.post(`{"jsonrpc":"2.0","id":1,"result":` + yes + `}`).code()).To(Equal(202))
		Expect(came).To(Equal(domain.ConfirmedOnce))
		h.handler.Close()
	}))

	It("ignores an answer of another host", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		h.use("7")
		call := d.host().last()
		came := domain.ConfirmationUnclear
		ctx, cancel := context.WithCancel(call.ctx)
		call.Confirmer.Confirm(ctx, question, func(answer domain.ConfirmationAnswer) { came = answer })
		synctest.Wait()

		d.connect(bob).post(`{"jsonrpc":"2.0","id":1,"result":` + yes + `}`)
		synctest.Wait()
		Expect(came).To(Equal(domain.ConfirmationUnclear))
		cancel()
		synctest.Wait()

		Expect(came).To(Equal(domain.ConfirmationWithdrawn))
		d.Close()
	}))
})
