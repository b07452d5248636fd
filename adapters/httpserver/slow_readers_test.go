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
			h := newDesk().open().connect(everybody)
			p, end := h.desk.listenOn()
			w := p.dial()
			w.send(h.raw("Content-Length: "+fmt.Sprint(len(body)), body))
			c := h.desk.host().last()
			Expect(c.report(0)).To(BeZero())
			synctest.Wait()
			spoken(h, w, c)
			_ = w.Close() // which the workbench may have done
			end()
		})
	}

	It("is waited for a second", serving(func(_ *olderHost, _ *wire, c *call) {
		waited := time.Duration(0)
		for i := range 100 {
			waited += c.report(i + 1)
		}
		Expect(waited).To(Equal(time.Second))
	}))

	It("gets what is new and the answer when it reads on, and misses what is old", serving(func(_ *olderHost, w *wire, c *call) {
		for i := range 20 {
			c.report(i + 1)
		}
		c.answer(`{"done":true}`)

		response, err := http.ReadResponse(w.in, nil)
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(response.Body)
		Expect(err).NotTo(HaveOccurred())
		events := eventsOf(string(text))
		Expect(events[len(events)-1]).To(HaveSuffix(`"id":7,"result":{"done":true}}`))
		Expect(events[len(events)-2]).To(ContainSubstring(`"progress":20,`))
		Expect(string(text)).NotTo(ContainSubstring(`"progress":10,`))
	}))

	It("is not waited for any more once its session ends", serving(func(h *olderHost, _ *wire, c *call) {
		over := make(chan time.Duration, 1)
		go func() {
			waited := time.Duration(0)
			for i := range 10 {
				waited += c.report(i + 1)
			}
			over <- waited
		}()
		synctest.Wait()

		h.desk.begin(h.who, "DELETE", h.headers(), "")

		Expect(over).To(Receive(BeZero()))
	}))

	It("hears no progress of a call that it cancelled, wherever it listens", serving(func(h *olderHost, _ *wire, c *call) {
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
