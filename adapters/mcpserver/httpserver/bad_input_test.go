package httpserver_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Bad input of a host", func() {
	It("of 2026-07-28 that is cut anywhere in a body calls nothing", Label("B06"), spec.InBubble(func(*testing.T) {
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

	It("in the early data of a connection, which an attacker can send again, calls nothing", Label("B06"), spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		headers := modernHeaders("tools/call", "use_tool")
		headers["Early-Data"] = "1"

		Expect(d.begin(anonymous, "POST", headers, modernCall()).code()).To(Equal(425))
		Expect(d.calls()).To(BeZero())
	}))

	It("with an event of another host yields nothing of that host", Label("B13"), spec.InBubble(func(*testing.T) {
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

		for _, caller := range []access.Access{ann, bob, anonymous} {
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
