package httpserver_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("Bodies of messages", Label("TH04"), func() {
	const mib = 1 << 20
	// serving runs a spec with a host that has a session, at a handler that takes messages of 8 MiB.
	serving := func(body func(h *olderHost, p *port)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			d.limits.MessageSize = 8 * mib
			h := d.open().connect(anonymous)
			p, end := d.listenOn()
			body(h, p)
			h.expectServed(p)
			end()
		})
	}
	modern := "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\nContent-Length: 8388608\r\n\r\n"
	// unfinished begins that many requests, of whose bodies so many bytes arrive.
	unfinished := func(p *port, count int, head string, size int) (begun []*wire) {
		for range count {
			w := p.dial()
			w.send(head + strings.Repeat(" ", size))
			begun = append(begun, w)
		}
		return begun
	}
	end := func(begun []*wire) {
		for _, w := range begun {
			Expect(w.Close()).To(Succeed())
		}
		time.Sleep(time.Second) // for which net/http waits after a refusal
		synctest.Wait()
	}

	It("are not read when their session does not exist or belongs to another caller", serving(func(h *olderHost, p *port) {
		for _, session := range []string{"nobody's", h.session} {
			thief := &olderHost{handler: h.handler, caller: ann, session: session}
			asked := h.handler.begin(thief.caller, "POST", thief.headers(), "this is no message")
			Expect(asked.code()).To(Equal(404))
		}
		w := p.dial()
		w.send((&olderHost{session: "nobody's"}).raw("Content-Length: 100", ""))
		code, _ := w.status()
		Expect(code).To(Equal(404), "before anything of the body came")
		end([]*wire{w})
	}))

	It("are limited to a megabyte without a session, by their declared or their actual length", serving(func(h *olderHost, _ *port) {
		long := request(`"me"`, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+strings.Repeat("x", mib)+`","version":"1"}}`)

		for _, refused := range []*response{h.handler.begin(anonymous, "POST", nil, long), h.handler.beginChunked(anonymous, nil, long)} {
			Expect(refused.code()).To(Equal(413))
			Expect(refused.text()).To(ContainSubstring("a message without a session is over the limit of 1048576 bytes"))
		}
		Expect(h.handler.calls()).To(Equal(1))
	}))

	It("arrive complete, however they are split", serving(func(h *olderHost, _ *port) {
		for _, size := range []int{1, 500, 513, 60 << 10, 65 << 10, 130 << 10, mib, 3*mib + 1, 8*mib - 500} {
			argument := strings.Repeat("0123456789abcdef", size/16+1)[:size]
			body := request("7", "tools/call", strings.Replace(using(""), `"read"}`, `"read"},"arguments":{"x":"`+argument+`"}`, 1))
			r := h.handler.beginChunked(h.caller, h.headers(), body)
			Expect(string(h.handler.host().last().Arguments) == `{"x":"`+argument+`"}`).To(BeTrue(), "%d bytes", size)
			h.handler.host().last().answer(`{}`)
			Expect(r.code()).To(Equal(200))
		}
	}))

	It("share a bound while they are incomplete, and are accepted again below it", serving(func(h *olderHost, p *port) {
		call := request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 4*mib)+`"`))
		begun := unfinished(p, 5, h.raw("Content-Length: 8388608", ""), 3*mib)

		refused := h.handler.beginChunked(h.caller, h.headers(), call)

		Expect(refused.code()).To(Equal(503))
		Expect(refused.sent.Get("Retry-After")).To(Equal("1"))
		Expect(refused.sent.Get("Connection")).To(Equal("close"))
		Expect(refused.text()).To(HavePrefix(`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,`))
		h.expectServed(p)
		end(begun)
		Expect(h.handler.beginChunked(h.caller, h.headers(), call).code()).To(BeZero(), "it is under way")
		h.handler.host().last().answer(`{}`)
	}))

	It("count by what has arrived, not by their declared length", serving(func(h *olderHost, p *port) {
		begun := unfinished(p, 200, modern, 1)

		h.post(request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 8*mib-500)+`"`)))

		h.handler.host().last().answer(`{}`)
		end(begun)
	}))

	It("leave no memory in use after too many were refused", serving(func(h *olderHost, p *port) {
		for i := range 20 {
			end(unfinished(p, 3, modern, (i%5+1)*mib))
			long := fmt.Sprintf("%x\r\n%s", 9*mib, strings.Repeat(" ", 9*mib))
			w := p.dial()
			w.send(h.raw("Transfer-Encoding: chunked", long))
			code, _ := w.status()
			Expect(code).To(Equal(413))
			end([]*wire{w})
		}
		h.post(request("7", "tools/call", using(`,"x":"`+strings.Repeat("x", 8*mib-500)+`"`)))
		h.handler.host().last().answer(`{}`)
	}))
})
