package httpserver_test

import (
	"context"
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

var _ = Describe("A request of 2026-07-28", func() {
	list := func(meta string) string { return request("1", "tools/list", `{"_meta":{"x":1`+meta+`}}`) }

	It("needs no session, and gets none", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		headers := modernHeaders("tools/list", "")
		headers["Mcp-Session-Id"] = "x"

		r := d.begin(anonymous, "POST", headers, list(modernMeta("a", "{}")))

		Expect(r.code()).To(Equal(200))
		Expect(r.sent).NotTo(HaveKey("Mcp-Session-Id"))
		Expect(r.text()).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{`))
		Expect(d.host().want.Modern).To(BeTrue())
	}))

	It("belongs to the host of the same identity, client name and capabilities", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		post := func(caller callers.Access, client, capabilities string) {
			Expect(d.begin(caller, "POST", modernHeaders("tools/list", ""), list(modernMeta(client, capabilities))).code()).To(Equal(200))
		}
		post(ann, "a", `{"sampling":{},"roots":{}}`)
		post(ann, "a", `{ "roots":{}, "sampling":{} }`)
		Expect(d.calls()).To(Equal(1))

		post(bob, "a", `{"sampling":{},"roots":{}}`)
		post(bob, "b", `{"sampling":{},"roots":{}}`)
		post(ann, "a", `{"sampling":{}}`)
		Expect(d.calls()).To(Equal(4))
		Expect(d.Sessions(ann.Identity)).To(Equal(2))
		Expect(d.Sessions(bob.Identity)).To(Equal(2))
		Expect(d.Sessions("")).To(BeZero())
	}))

	It("is cancelled when its connection is cut", Label("M02"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		silent := d.useModern(anonymous, "a", "1")
		silently := d.host().last()
		talking := d.useModern(anonymous, "a", "1")
		d.host().last().says("1")
		Expect(talking.events()).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","method":"notifications/progress"`)))

		silent.cut()
		Expect(silently.ctx.Err()).To(HaveOccurred())
		Expect(d.host().last().ctx.Err()).NotTo(HaveOccurred())
		talking.cut()

		Expect(d.host().last().ctx.Err()).To(HaveOccurred())
		Expect(d.begin(anonymous, "GET", map[string]string{"Mcp-Protocol-Version": "2026-07-28"}, "").code()).To(Equal(405))
	}))

	It("can have the same id as another request of the host", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		earlier := d.useModern(anonymous, "a", "1")
		first := d.host().last()
		other := d.useModern(anonymous, "a", "1")

		d.host().last().answer(`{"other":1}`)
		first.answer(`{"one":1}`)

		Expect(earlier.text()).To(ContainSubstring(`{"resultType":"complete","one":1}`))
		Expect(other.text()).To(ContainSubstring(`{"resultType":"complete","other":1}`))
	}))

	It("asks its host in its answer, and can be continued only by the same identity", Label("M03"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		asks := func(caller callers.Access, params string) *response {
			return d.begin(caller, "POST", modernHeaders("tools/call", "use_tool"), request("1", "tools/call", params))
		}
		meta := modernMeta("a", `{"elicitation":{}}`)
		r := asks(ann, using(meta))
		owner := d.host()
		owner.host.Request(owner.last().ctx, files, ports.Message{Method: string(mcp.MethodElicitationCreate), Params: []byte(`{}`)}, func(ports.Answer, error) {})
		synctest.Wait()
		Expect(r.isOver()).To(BeTrue())
		state := r.field("result", "requestState")
		continued := `{"requestState":"` + state + `","inputResponses":{"1":{"action":"accept"}},` + using(meta)[1:]

		Expect(asks(bob, continued).text()).To(And(ContainSubstring(`"code":-32602`), ContainSubstring("This call has ended")))
		again := asks(ann, continued)
		owner.last().answer(`{"got":1}`)
		Expect(again.text()).To(ContainSubstring(`"got":1`))
	}))

	It("that asks a host that cuts its connection meanwhile is cancelled", Label("B02"), spec.InBubble(func(*testing.T) {
		d := newTestHandler()
		d.inputReply = time.Hour
		d.open()
		for range 200 {
			r := d.begin(ann, "POST", modernHeaders("tools/call", "use_tool"), request("1", "tools/call", using(modernMeta("a", `{"elicitation":{}}`))))
			owner := d.host()
			isRefused := false
			r.drop()
			owner.host.Request(owner.last().ctx, files, ports.Message{Method: string(mcp.MethodElicitationCreate), Params: []byte(`{}`)},
				func(answer ports.Answer, err error) { isRefused = err != nil || answer.Error != nil })
			synctest.Wait()

			Expect(owner.last().ctx.Err()).To(HaveOccurred())
			Expect(isRefused).To(BeTrue())
		}
	}))

	DescribeTable("that asked its host is cancelled", Label("B02"), func(ends func(d *testHandler)) {
		spec.Bubble(func(*testing.T) {
			d := newTestHandler()
			d.inputReply = time.Hour
			d.open()
			r := d.begin(ann, "POST", modernHeaders("tools/call", "use_tool"), request("1", "tools/call", using(modernMeta("a", `{"elicitation":{}}`))))
			owner := d.host()
			var refused ports.Answer
			owner.host.Request(owner.last().ctx, files, ports.Message{Method: string(mcp.MethodElicitationCreate), Params: []byte(`{}`)},
				func(answer ports.Answer, _ error) { refused = answer })
			synctest.Wait()
			Expect(r.text()).To(ContainSubstring("input_required"))

			ends(d)
			synctest.Wait()

			Expect(owner.last().ctx.Err()).To(HaveOccurred())
			Expect(string(refused.Error)).To(ContainSubstring("the call that this request belongs to has ended"))
			Expect(d.ended()).To(BeNumerically(">", 0))
		})
	},
		Entry("when its permissions were withdrawn", func(d *testHandler) {
			d.EndSessions(func(a callers.Access) bool { return a.Identity == ann.Identity })
		}),
		Entry("when the program ends", func(d *testHandler) {
			d.Drain(context.Background())
			d.Close()
		}),
		Entry("when its session makes room for others", func(d *testHandler) {
			time.Sleep(30 * time.Minute)
			for range d.limits.Sessions {
				d.connect(anonymous)
			}
		}),
	)

	It("that listens is a stream with keep-alive comments", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		body := request(`"s"`, "subscriptions/listen", `{"notifications":{"resourcesListChanged":true},"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)
		r := d.begin(anonymous, "POST", modernHeaders("subscriptions/listen", ""), body)
		Expect(r.events()).To(HaveExactElements(ContainSubstring("notifications/subscriptions/acknowledged")))
		time.Sleep(15 * time.Second)
		synctest.Wait()
		Expect(r.text()).To(HaveSuffix(": alive\n\n"))

		d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged, Params: []byte(`{}`)})
		synctest.Wait()

		Expect(r.events()[1]).To(ContainSubstring(`"method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}`))
		r.cut()
		d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged, Params: []byte(`{}`)})
		Expect(r.events()).To(HaveLen(2))
	}))

	It("that listens to nothing is answered immediately, and its stream ends", spec.InBubble(func(*testing.T) {
		body := request(`"s"`, "subscriptions/listen", `{"notifications":{},"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)

		r := newTestHandler().open().begin(anonymous, "POST", modernHeaders("subscriptions/listen", ""), body)

		Expect(r.events()).To(HaveExactElements(ContainSubstring("notifications/subscriptions/acknowledged"), ContainSubstring(`"id":"s","result":`)))
		Expect(r.isOver()).To(BeTrue())
		r.cut()
	}))

	It("gets the log messages that it alone asked for", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		meta := modernMeta("a", "{}")
		wants := d.begin(anonymous, "POST", modernHeaders("tools/call", "use_tool"),
			request("1", "tools/call", using(meta+`,"io.modelcontextprotocol/logLevel":"info"`)))
		silent := d.useModern(anonymous, "a", "2")

		d.host().host.Notify(files, ports.Notification{Method: string(mcp.MethodNotificationMessage), Params: []byte(`{"level":"info","data":"x"}`)})
		d.host().host.Notify(files, ports.Notification{Method: string(mcp.MethodNotificationMessage), Params: []byte(`{"level":"debug","data":"y"}`)})
		synctest.Wait()

		Expect(wants.events()).To(HaveExactElements(ContainSubstring(`"data":"x"`)))
		Expect(silent.code()).To(BeZero())
		wants.cut()
		silent.cut()
	}))

	DescribeTable("is refused unless its headers and its body agree", Label("M04"),
		func(status, code int, change func(map[string]string), body string) {
			spec.Bubble(func(*testing.T) {
				headers := modernHeaders("tools/call", "use_tool")
				change(headers)

				r := newTestHandler().open().begin(anonymous, "POST", headers, body)

				Expect(r.code()).To(Equal(status), r.text())
				Expect(r.errorCode()).To(Equal(code), r.text())
			})
		},
		Entry("without a version in the headers", 400, -32020, without("Mcp-Protocol-Version"), modernCall()),
		Entry("with an older version there", 400, -32020, with("Mcp-Protocol-Version", "2025-11-25"), modernCall()),
		Entry("without a version in the body", 400, -32602, with("Mcp-Name", "use_tool"), request("1", "tools/call", using(""))),
		Entry("without a method", 400, -32020, without("Mcp-Method"), modernCall()),
		Entry("with another method", 400, -32020, with("Mcp-Method", "tools/list"), modernCall()),
		Entry("with another case of the method", 400, -32020, with("Mcp-Method", "Tools/Call"), modernCall()),
		Entry("without a name", 400, -32020, without("Mcp-Name"), modernCall()),
		Entry("with another name", 400, -32020, with("Mcp-Name", "open_toolbox"), modernCall()),
		Entry("with an invalid encoded name", 400, -32020, with("Mcp-Name", "=?base64?!?="), modernCall()),
		Entry("with an unknown method", 404, -32601, with("Mcp-Method", "nope"), request("1", "nope", `{"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)),
		Entry("with a future version", 400, -32022, with("Mcp-Protocol-Version", "2027-01-01"),
			request("1", "tools/call", using(`,"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}`))),
		Entry("without capabilities", 400, -32602, with("Mcp-Name", "use_tool"), request("1", "tools/call", using(`,"io.modelcontextprotocol/protocolVersion":"2026-07-28"`))),
	)

	It("can have its name encoded", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		headers := modernHeaders("tools/call", "=?base64?dXNlX3Rvb2w=?=")
		r := d.begin(anonymous, "POST", headers, modernCall())
		Expect(d.host().count()).To(Equal(1))
		r.cut()
	}))

	It("is refused if tools are registered, with the versions to use", spec.InBubble(func(*testing.T) {
		d := newTestHandler()
		d.versions = httpserver.Versions{WithoutModern: true}

		r := d.open().begin(anonymous, "POST", modernHeaders("server/discover", ""), request("1", "server/discover", `{"_meta":{"x":1`+modernMeta("a", "{}")+`}}`))

		Expect(r.code()).To(Equal(400))
		Expect(r.text()).To(ContainSubstring(`"code":-32022`))
		Expect(r.text()).To(ContainSubstring(`"supported":["2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`))
		Expect(d.connect(anonymous).session).NotTo(BeEmpty())
	}))
})
