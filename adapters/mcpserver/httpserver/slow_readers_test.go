package httpserver_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// report passes progress on that is as large as it may be for four to fit into a stream, and
// returns how long its source waited.
func (c *call) report(number int) (waited time.Duration) {
	began := time.Now()
	c.begin(fmt.Sprintf(`%d,"message":"%s"`, number, strings.Repeat("m", 250<<10)))
	return time.Since(began)
}

var _ = Describe("A host that does not read the stream of its call", Label("TH01"), func() {
	body := request("7", "tools/call", using(""))
	// serving runs a spec with such a host, whose call has begun to report.
	serving := func(spoken func(h *olderHost, w *wire, c *call)) func() {
		return spec.InBubble(func(*testing.T) {
			h := newTestHandler().open().connect(anonymous)
			p, end := h.handler.listenOn()
			w := p.dial()
			w.send(h.raw("Content-Length: "+fmt.Sprint(len(body)), body))
			c := h.handler.host().last()
			Expect(c.report(0)).To(BeZero())
			synctest.Wait()
			spoken(h, w, c)
			_ = w.Close() // which the workbench may have done
			end()
		})
	}

	It("is given a second", serving(func(_ *olderHost, _ *wire, c *call) {
		waited := time.Duration(0)
		for i := range 100 {
			waited += c.report(i + 1)
		}
		Expect(waited).To(Equal(time.Second))
	}))

	It("gets new messages and the answer when it reads again, and misses old ones", serving(func(_ *olderHost, w *wire, c *call) {
		for i := range 20 {
			c.report(i + 1)
		}
		c.answer(`{"done":true}`)

		response := spec.Must(http.ReadResponse(w.in, nil))
		text := spec.Must(io.ReadAll(response.Body))
		events := eventsOf(string(text))
		Expect(events[len(events)-1]).To(HaveSuffix(`"id":7,"result":{"done":true}}`))
		Expect(events[len(events)-2]).To(ContainSubstring(`"progress":20,`))
		Expect(string(text)).NotTo(ContainSubstring(`"progress":10,`))
	}))

	It("is no longer waited for once its session ends", serving(func(h *olderHost, _ *wire, c *call) {
		over := make(chan time.Duration, 1)
		go func() {
			waited := time.Duration(0)
			for i := range 10 {
				waited += c.report(i + 1)
			}
			over <- waited
		}()
		synctest.Wait()

		h.handler.begin(h.caller, "DELETE", h.headers(), "")

		Expect(over).To(Receive(BeZero()))
	}))

	It("gets no progress of a cancelled call on any stream", serving(func(h *olderHost, _ *wire, c *call) {
		listening := h.get()
		go func() {
			for i := range 10 {
				c.report(i + 1)
			}
		}()
		synctest.Wait()

		Expect(h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).code()).To(Equal(202))

		time.Sleep(time.Second)
		synctest.Wait()
		Expect(listening.events()).To(BeEmpty())
	}))
})

var _ = Describe("Hosts that do not read their answers", Label("TH10"), func() {
	It("keep at least 64 MiB of them, beyond which the oldest is cut", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		p, end := h.handler.listenOn()
		var wires []*wire
		for i := range 8 {
			w := p.dial()
			body := request(fmt.Sprint(i+7), "tools/call", using(""))
			w.send(h.raw("Content-Length: "+fmt.Sprint(len(body)), body))
			h.handler.host().last().answer(`{"x":"` + strings.Repeat("x", 9<<20) + `"}`)
			wires = append(wires, w)
		}

		for i, w := range wires {
			response, err := http.ReadResponse(w.in, nil)
			if i == 0 {
				Expect(err).To(HaveOccurred(), "what was not sent yet never comes")
			} else {
				Expect(err).NotTo(HaveOccurred())
				text := spec.Must(io.ReadAll(response.Body))
				Expect(string(text)).To(HaveSuffix(`xxx"}}`))
			}
			Expect(w.Close()).To(Succeed())
		}
		end()
	}))
})

var _ = Describe("Long answers, in buffers that are reused", func() {
	It("keep their bytes until each host has read its own", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		p, end := h.handler.listenOn()
		answerOf := func(i int) string { return `{"x":"` + strings.Repeat(string(rune('a'+i)), 1<<20) + `"}` }
		begin := func(i int) *wire {
			w := p.dial()
			body := request(fmt.Sprint(i), "tools/call", using(""))
			w.send(h.raw("Content-Length: "+fmt.Sprint(len(body)), body))
			h.handler.host().last().answer(answerOf(i))
			return w
		}
		expectAnswer := func(w *wire, i int) {
			response := spec.Must(http.ReadResponse(w.in, nil))
			text := spec.Must(io.ReadAll(response.Body))
			Expect(string(text) == fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, i, answerOf(i))).To(BeTrue(), "answer %d", i)
			Expect(w.Close()).To(Succeed())
		}

		for i := range 3 {
			slow, other, gone := begin(3*i), begin(3*i+1), begin(3*i+2)
			Expect(gone.Close()).To(Succeed())
			expectAnswer(other, 3*i+1)
			expectAnswer(slow, 3*i)
		}
		end()
	}))
})

var _ = Describe("The memory used for messages", Label("TH10"), func() {
	It("is small for ids and for descriptions of hosts", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(anonymous)
		long := strings.Repeat("x", 64<<10)
		list := request("1", "tools/list", `{"_meta":{"x":1`+modernMeta("a", `{"experimental":{"x":"`+long+`"}}`)+`}}`)
		for _, refused := range []*response{
			h.post(request(`"`+long+`"`, "ping", "{}")),
			d.begin(anonymous, "POST", nil, initialize("2025-11-25", `{"experimental":{"x":"`+long+`"}}`)),
			d.begin(anonymous, "POST", modernHeaders("tools/list", ""), list),
		} {
			Expect(refused.code()).To(Equal(400))
			Expect(refused.errorCode()).To(Equal(-32600))
			Expect(len(refused.text())).To(BeNumerically("<", 200))
		}
		Expect(d.calls()).To(Equal(1))
	}))

	It("has a bound over all requests in flight", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(anonymous)
		call := func(id int) *response {
			return h.post(request(fmt.Sprint(id), "tools/call", using(`,"x":"`+strings.Repeat("x", 1<<20-500)+`"`)))
		}
		for i := range 16 {
			Expect(call(i + 7).code()).To(BeZero())
		}

		refused := call(99)

		Expect(refused.code()).To(Equal(503))
		Expect(refused.sent.Get("Retry-After")).To(Equal("1"))
		Expect(h.post(request("100", "ping", "{}")).code()).To(Equal(200))
		Expect(h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).code()).To(Equal(202))
		Expect(call(101).code()).To(BeZero())
		d.host().last().answer(`{}`)
		Expect(call(102).code()).To(BeZero())
		d.Close()
	}))
})
