package httpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var (
	ann = callers.Access{Identity: "ann", Toolboxes: []string{"dev"}}
	bob = callers.Access{Identity: "bob"}
)

var _ = Describe("A session", func() {
	It("begins with the handshake, under an unguessable id, with a workbench of its own", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()

		one, other := d.connect(ann), d.connect(ann)

		Expect(len(one.session)).To(BeNumerically(">=", 26)) // of 32 letters: 130 bits
		Expect(one.session).NotTo(Equal(other.session))
		Expect(d.calls()).To(Equal(2))
		Expect(d.host().want).To(Equal(httpserver.Want{Access: ann, Session: other.session[:8]}))
		Expect(d.Sessions(ann.Identity)).To(Equal(2))
	}))

	It("is required by every later request, and can be used only by its own caller", Label("M03"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		ping := request("2", "ping", "{}")

		Expect(h.post(ping).text()).To(Equal(`{"jsonrpc":"2.0","id":2,"result":{}}`))
		Expect(d.begin(ann, "POST", nil, ping).code()).To(Equal(400))
		Expect(d.begin(ann, "POST", map[string]string{"Mcp-Session-Id": "x"}, ping).code()).To(Equal(404))
		foreign := &olderHost{handler: d, caller: bob, session: h.session}
		Expect(foreign.post(ping).code()).To(Equal(404))
		Expect(foreign.get().code()).To(Equal(404))
		Expect(d.begin(bob, "DELETE", h.headers(), "").code()).To(Equal(404))
		Expect(h.post(ping).code()).To(Equal(200))
	}))

	It("begins with a handshake that names one which is gone, and with nothing else that does", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		Expect(d.begin(ann, "DELETE", h.headers(), "").code()).To(Equal(200))
		handshake := request("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}`)

		again := d.begin(ann, "POST", h.headers(), handshake)

		Expect(again.code()).To(Equal(200))
		Expect(again.sent.Get("Mcp-Session-Id")).NotTo(Or(BeEmpty(), Equal(h.session)))
		for _, refused := range []string{
			request("2", "ping", "{}"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"method":"initialize"}`,
			`[` + handshake + `]`, "hello", "", strings.Replace(handshake, `"n"`, `"`+strings.Repeat("n", 64<<10)+`"`, 1),
		} {
			Expect(d.begin(ann, "POST", h.headers(), refused).code()).To(Equal(404), "%.60s", refused)
		}
	}))

	It("is deleted by the host with its calls and its servers", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		listening, calling := h.get(), h.use("2")

		Expect(d.begin(ann, "DELETE", h.headers(), "").code()).To(Equal(200))
		d.host().last().reply(ports.Answer{}, context.Canceled)
		synctest.Wait()

		Expect(calling.isOver()).To(BeTrue())
		Expect(calling.text()).To(ContainSubstring(`"isError":true`))
		Expect(listening.isOver()).To(BeTrue())
		Expect(d.ended()).To(Equal(1))
		Expect(d.begin(ann, "DELETE", h.headers(), "").code()).To(Equal(404))
		Expect(h.post(request("3", "ping", "{}")).code()).To(Equal(404))
	}))

	It("is deleted promptly though a call never returns", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		calling := h.use("2")

		d.begin(ann, "DELETE", h.headers(), "")
		time.Sleep(time.Second)
		synctest.Wait()

		Expect(calling.isOver()).To(BeTrue())
		Expect(calling.code()).To(Equal(404))
		Expect(d.ended()).To(Equal(1))
	}))

	It("is kept for a day without use, and while a stream is open", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h, listener := d.connect(ann), d.connect(bob)
		listening := listener.get()
		time.Sleep(23 * time.Hour)
		Expect(h.post(request("2", "ping", "{}")).code()).To(Equal(200))
		time.Sleep(23 * time.Hour)
		synctest.Wait()
		Expect(d.Sessions(ann.Identity)).To(Equal(1))
		Expect(d.Sessions(bob.Identity)).To(Equal(1))

		time.Sleep(2 * time.Hour)
		synctest.Wait()
		Expect(h.post(request("3", "ping", "{}")).code()).To(Equal(404))
		Expect(d.ended()).To(Equal(1))
		listening.cut()
		Expect(listener.post(request("2", "ping", "{}")).code()).To(Equal(200))
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		Expect(d.Sessions(ann.Identity) + d.Sessions(bob.Identity)).To(BeZero())
		Expect(d.ended()).To(Equal(2))
	}))

	It("does not begin while the servers of as many that ended have not exited", Label("M05"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		d.exiting = make(chan struct{})
		for range d.limits.SessionsPerIdentity {
			h := d.connect(ann)
			Expect(d.begin(ann, "DELETE", h.headers(), "").code()).To(Equal(200))
		}

		refused := d.begin(ann, "POST", nil, initialize("2025-11-25", "{}"))

		Expect(refused.code()).To(Equal(503))
		Expect(refused.text()).To(ContainSubstring("have not exited yet; try again later, or have the operator raise http.maxSessionsPerIdentity"))
		d.connect(bob)
		close(d.exiting)
		synctest.Wait()
		d.connect(ann)
		d.Close()
	}))

	DescribeTable("does not begin for a caller that lost its access while its message arrived", Label("M03"),
		func(headers map[string]string, message string, expire time.Duration) {
			spec.InBubble(func(*testing.T) {
				d := newTestHandler().open()
				revoked := make(chan struct{})
				caller := callers.Access{Identity: "ann", Revoked: revoked}
				if expire > 0 {
					caller.Until = time.Now().Add(expire)
				}
				body, rest := io.Pipe()
				r := d.beginWith(caller, headers, httptest.NewRequest(http.MethodPost, "/mcp", body))
				_, err := rest.Write([]byte(message[:20]))
				Expect(err).NotTo(HaveOccurred())
				if expire > 0 {
					time.Sleep(expire)
				} else {
					close(revoked)
				}
				_, err = rest.Write([]byte(message[20:]))
				Expect(err).NotTo(HaveOccurred())
				Expect(rest.Close()).To(Succeed())
				synctest.Wait()

				Expect(r.code()).To(Equal(401))
				Expect(r.text()).To(ContainSubstring("the token is no longer accepted"))
				Expect(d.calls()).To(BeZero())
			})()
		},
		Entry("a handshake", nil, initialize("2025-11-25", "{}"), time.Duration(0)),
		Entry("a call of 2026-07-28", modernHeaders("tools/call", "use_tool"), modernCall(), time.Duration(0)),
		Entry("a handshake, whose token expires", nil, initialize("2025-11-25", "{}"), time.Second),
	)

	It("does not begin when there are too many, unless one was unused for ten minutes", Label("M05"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		busy, unused := d.connect(anonymous), d.connect(anonymous)
		d.connect(ann)
		d.connect(bob)

		time.Sleep(9 * time.Minute)
		r := d.begin(anonymous, "POST", nil, initialize("2025-11-25", "{}"))
		Expect(r.code()).To(Equal(503))
		Expect(r.sent.Get("Retry-After")).NotTo(BeEmpty())
		Expect(r.text()).To(ContainSubstring("http.maxSessions\""))

		call := busy.use("2")
		time.Sleep(11 * time.Minute)
		for range 3 { // of the four; the busy one stays
			d.connect(anonymous)
		}
		Expect(d.begin(anonymous, "POST", nil, initialize("2025-11-25", "{}")).code()).To(Equal(503))
		Expect(unused.post(request("2", "ping", "{}")).code()).To(Equal(404))
		d.host() // the last one
		Expect(call.code()).To(Equal(200))
		Expect(busy.post(request("3", "ping", "{}")).code()).To(Equal(200))
		call.cut()
		d.Close()
	}))

	It("does not begin when one identity has too many, unless one of them was unused for ten minutes", Label("M05"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		other := d.connect(bob)
		time.Sleep(time.Minute)
		first, listening := d.connect(ann), d.connect(ann)
		stream := listening.get()

		refused := d.begin(ann, "POST", nil, initialize("2025-11-25", "{}"))
		Expect(refused.code()).To(Equal(503))
		Expect(refused.text()).To(ContainSubstring("http.maxSessionsPerIdentity"))

		time.Sleep(11 * time.Minute)
		d.connect(ann)
		Expect(first.post(request("2", "ping", "{}")).code()).To(Equal(404))
		for _, stays := range []*olderHost{other, listening} {
			Expect(stays.post(request("2", "ping", "{}")).code()).To(Equal(200))
		}
		stream.cut()
	}))

	It("has one listener, the latest one, which gets the undelivered messages", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(anonymous)
		says := func(uri string) {
			d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourceUpdated, Params: []byte(`{"uri":"` + uri + `"}`)})
			synctest.Wait()
		}
		says("a:1")
		first := h.get()
		says("a:2")
		second := h.get()
		says("a:3")

		Expect(first.isOver()).To(BeTrue())
		Expect(first.events()).To(HaveExactElements(HavePrefix("0-1 "), HavePrefix("0-2 ")))
		Expect(second.events()).To(HaveExactElements(And(HavePrefix("0-3 "), ContainSubstring("a:3"))))
		second.cut()
		says("a:4")
		third := h.resume("0-2")
		Expect(third.events()).To(HaveExactElements(HavePrefix("0-3 "), HavePrefix("0-4 ")))
		third.cut()
	}))

	It("keeps at most 256 messages for an absent listener, for at most five minutes", Label("M05"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(anonymous)
		notify := func() {
			d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		}
		notify()
		time.Sleep(11 * time.Minute)
		for range 300 {
			notify()
		}

		heard := h.get()

		Expect(heard.events()).To(HaveLen(256))
		Expect(heard.events()[0]).To(HavePrefix("0-46 "))
		heard.cut()
	}))

	It("reports a refused stream in a type that the host accepts", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		headers := h.headers()
		headers["Accept"] = "application/json"

		Expect(h.handler.begin(anonymous, "GET", headers, "").code()).To(Equal(406))
		headers["Accept"] = "text/html"
		Expect(h.handler.begin(anonymous, "POST", headers, request("2", "ping", "{}")).code()).To(Equal(406))
		headers["Accept"] = "application/*;q=0.5, text/event-stream"
		Expect(h.handler.begin(anonymous, "POST", headers, request("2", "ping", "{}")).code()).To(Equal(200))
	}))

	It("must have a known version", Label("M04"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		for version, code := range map[string]int{"": 200, "2025-03-26": 200, "2025-06-18": 200, "1999-01-01": 400, "x": 400} {
			headers := h.headers()
			headers["Mcp-Protocol-Version"] = version
			if version == "" {
				delete(headers, "Mcp-Protocol-Version")
			}
			Expect(h.handler.begin(anonymous, "POST", headers, request("2", "ping", "{}")).code()).To(Equal(code), version)
		}
	}))

	It("answers an invalid message with an error", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)

		Expect(h.post(`{"jsonrpc":`).text()).To(HavePrefix(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`))
		Expect(h.post(`[]`).text()).To(HavePrefix(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`))
		Expect(h.post(``).code()).To(Equal(400))
		Expect(h.handler.begin(anonymous, "PUT", h.headers(), "").sent.Get("Allow")).To(Equal("GET, POST, DELETE"))
	}))

	It("ends when its permissions are withdrawn", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		one, other := d.connect(ann), d.connect(bob)

		d.EndSessions(func(a callers.Access) bool { return a.Identity == "ann" })
		synctest.Wait()

		Expect(one.post(request("2", "ping", "{}")).code()).To(Equal(404))
		Expect(other.post(request("2", "ping", "{}")).code()).To(Equal(200))
		Expect(d.ended()).To(Equal(1))
	}))

	It("does not begin during shutdown, and calls in flight are answered first", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(anonymous)
		calling := h.use("2")
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			d.Drain(context.Background())
			d.Close()
		}()
		synctest.Wait()

		Expect(d.Ready()).To(BeFalse())
		Expect(d.begin(anonymous, "POST", nil, initialize("2025-11-25", "{}")).code()).To(Equal(503))
		Expect(h.post(request("3", "ping", "{}")).code()).To(Equal(503))
		Expect(h.post(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`).code()).To(Equal(202))
		Expect(d.host().announced()).To(Equal([]string{"roots"}))
		Expect(drained).NotTo(BeClosed())
		d.host().last().answer(`{"done":true}`)
		<-drained

		Expect(calling.text()).To(ContainSubstring(`{"done":true}`))
		Expect(d.ended()).To(Equal(1))
	}))
})

var _ = Describe("Ending the HTTP server", func() {
	It("waits for a response that is being read", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		p, server := h.handler.serve()
		reading := p.dial()
		reading.send(h.raw("Content-Length: 43", `{"jsonrpc":"2.0","id":"ok","method":"ping"}`))
		h.handler.Close()
		ended := make(chan error)
		go func() { ended <- server.Shutdown(context.Background()) }()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		Expect(ended).NotTo(Receive())

		code, body := reading.status()

		Expect(code).To(Equal(200), body)
		Expect(<-ended).NotTo(HaveOccurred())
	}))
})

var _ = Describe("Access that expires", Label("T07"), func() {
	soon := func() callers.Access { return callers.Access{Identity: "ann", Until: time.Now().Add(time.Minute)} }
	expire := func() {
		time.Sleep(61 * time.Second)
		synctest.Wait()
	}

	It("ends the stream of a host older than 2026-07-28, which gets the rest with its next token", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(soon())
		listening, calling := h.get(), h.use("2")

		expire()

		Expect(listening.isOver()).To(BeTrue())
		Expect(calling.isOver()).To(BeFalse(), "its result would be lost")
		d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		d.host().last().answer(`{"late":1}`)
		Expect(calling.text()).To(ContainSubstring(`{"late":1}`))
		h.caller = soon()
		again := h.get()
		Expect(again.events()).To(HaveExactElements(ContainSubstring("list_changed")))
		again.cut()
	}))

	It("ends the stream on which a host of 2026-07-28 listens, and no call", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		caller := soon()
		body := request(`"s"`, "subscriptions/listen", `{"notifications":{"resourcesListChanged":true},"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)
		listening := d.begin(caller, "POST", modernHeaders("subscriptions/listen", ""), body)
		calling := d.useModern(caller, "a", "1")
		Expect(listening.isOver()).To(BeFalse())

		expire()

		Expect(listening.isOver()).To(BeTrue())
		Expect(d.host().last().ctx.Err()).NotTo(HaveOccurred())
		d.host().last().answer(`{"late":1}`)
		Expect(calling.text()).To(ContainSubstring(`"late":1`))
	}))
})
