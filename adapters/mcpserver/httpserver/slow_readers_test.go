package httpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
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

var _ = Describe("Hosts that do not read their answers", Label("SH02"), func() {
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
				Expect(string(spec.Must(io.ReadAll(response.Body)))).To(HaveSuffix(`xxx"}}`))
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

var _ = Describe("The memory used for messages", Label("SH02"), func() {
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
		Expect(refused.text()).To(ContainSubstring("limits.underWay"))
		Expect(refused.sent.Get("Retry-After")).To(Equal("1"))
		Expect(h.post(request("100", "ping", "{}")).code()).To(Equal(200))
		Expect(h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).code()).To(Equal(202))
		Expect(call(101).code()).To(BeZero())
		d.host().last().answer(`{}`)
		Expect(call(102).code()).To(BeZero())
		d.Close()
	}))
})

// long returns a call whose message has about that many bytes.
func long(id string, size int) string {
	return request(id, "tools/call", using(`,"x":"`+strings.Repeat("x", size-200)+`"`))
}

var _ = Describe("Messages that arrive", Label("SH02"), func() {
	const kib, mib = 1 << 10, 1 << 20
	// unfinished begins a message of a caller of which so many bytes arrive.
	unfinished := func(p *port, identity string, size int) *wire {
		w := p.dial()
		w.send("POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: " + identity + "\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n" + strings.Repeat(" ", size))
		return w
	}
	serving := func(body func(d *testHandler, p *port)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			d.limits.Sessions = 100
			d.open()
			p, end := d.listenOn()
			body(d, p)
			end()
		})
	}
	closeAll := func(wires []*wire) {
		for _, w := range wires {
			_ = w.Close() // the workbench may have closed it
		}
		time.Sleep(time.Second) // for which net/http waits after a refusal
		synctest.Wait()
	}

	It("of one caller that never ends them keep no message of another one out, nor a new host", serving(func(d *testHandler, p *port) {
		h := d.connect(bob)
		var begun []*wire
		for range 70 {
			begun = append(begun, unfinished(p, "ann", 1_000_000))
		}
		for range 170 {
			begun = append(begun, unfinished(p, "ann", 64*kib))
		}

		for i, size := range []int{kib, 5 * kib, 100 * kib, mib - 500} {
			Expect(h.post(long(fmt.Sprint(i+7), size)).code()).To(BeZero(), "%d bytes are under way", size)
		}
		Expect(d.connect(bob).post(request("1", "ping", "{}")).code()).To(Equal(200))
		Expect(d.connect(ann).post(request("1", "ping", "{}")).code()).To(Equal(200), "a small message of the caller itself gets in too")
		closeAll(begun)
	}))

	It("are given up by the caller with most, the last one first, with an error that says so", serving(func(d *testHandler, p *port) {
		h := d.connect(bob)
		var begun []*wire
		for range 8 {
			begun = append(begun, unfinished(p, "ann", mib-1))
		}

		Expect(h.post(long("7", mib-500)).code()).To(BeZero())

		code, text := begun[7].status()
		Expect(code).To(Equal(503))
		Expect(text).To(ContainSubstring("too many messages are arriving; try again in a second, or have the operator raise limits.arriving"))
		begun[0].send(" ")
		code, _ = begun[0].status()
		Expect(code).To(Equal(400), "it arrived whole, and is no message")
		closeAll(begun)
	}))

	It("are not noticed by a team while there is room", serving(func(d *testHandler, p *port) {
		var begun []*wire
		for i := range 6 {
			begun = append(begun, unfinished(p, fmt.Sprint("user ", i%3), 600*kib))
		}
		Expect(d.connect(bob).post(long("7", mib-500)).code()).To(BeZero())

		for i, w := range begun {
			w.send(strings.Repeat(" ", mib-600*kib))
			code, _ := w.status()
			Expect(code).To(Equal(400), "message %d arrived whole", i)
		}
		closeAll(begun)
	}))

	It("of callers without an identity are told apart by their connections and sessions", serving(func(d *testHandler, p *port) {
		var begun []*wire
		for range 40 {
			begun = append(begun, unfinished(p, "", 1_000_000))
		}

		Expect(d.connect(anonymous).post(long("7", 100*kib)).code()).To(BeZero())
		closeAll(begun)
	}))

	It("have ten seconds, and another one for each 64 KiB", serving(func(d *testHandler, p *port) {
		silent, slow, steady := unfinished(p, "ann", 100), unfinished(p, "ann", 0), unfinished(p, "ann", 0)
		began := time.Now()
		for i := range 16 {
			time.Sleep(time.Second)
			if i < 9 { // it is not read any more after twelve seconds
				slow.send(strings.Repeat(" ", 16*kib))
			}
			steady.send(strings.Repeat(" ", 64*kib))
		}

		code, _ := steady.status()
		Expect(code).To(Equal(400), "it arrived whole, and is no message")
		for _, w := range []*wire{silent, slow} {
			code, text := w.status()
			Expect(code).To(Equal(400))
			Expect(text).To(ContainSubstring("arrived too slowly"))
		}
		Expect(time.Since(began)).To(Equal(16 * time.Second))
		closeAll([]*wire{silent, slow, steady})
	}))
})

var _ = Describe("Requests under way", Label("SH02"), func() {
	const kib, mib = 1 << 10, 1 << 20
	serving := func(body func(d *testHandler)) func() {
		return spec.InBubble(func(*testing.T) {
			d := newTestHandler()
			d.limits.Sessions = 100
			d.open()
			body(d)
			d.Close()
		})
	}
	// listen begins to listen with that many bytes of padding.
	listen := func(d *testHandler, caller callers.Access, size int) *response {
		return d.begin(caller, "POST", modernHeaders("subscriptions/listen", ""), request(`"s"`, "subscriptions/listen",
			`{"notifications":{"resourcesListChanged":true},"_meta":{"x":"`+strings.Repeat("x", size)+`"`+modernMeta("a", "{}")+`}}`))
	}

	It("of one caller give way to those of another one, the last one first, with an error", serving(func(d *testHandler) {
		many, other := d.connect(ann), d.connect(bob)
		var begun []*response
		for i := range 16 {
			begun = append(begun, many.post(long(fmt.Sprint(i+7), mib-500)))
		}
		played := d.host()

		Expect(other.post(long("7", 100*kib)).code()).To(BeZero())

		Expect(begun[15].text()).To(ContainSubstring(`"id":22,"error":{"code":-32000,"message":"given up, since this caller has most requests under way`))
		Expect(begun[14].code()).To(BeZero())
		Expect(many.post(long("99", 100*kib)).code()).To(BeZero(), "there is room again")
		Expect(many.post(long("100", mib-500)).code()).To(Equal(503))
		played.last().answer(`{}`)
	}))

	It("are not noticed by a team while there is room", serving(func(d *testHandler) {
		var begun []*response
		var hosts []*olderHost
		for i := range 6 {
			hosts = append(hosts, d.connect(callers.Access{Identity: fmt.Sprint("user ", i)}))
		}
		for i := range 12 {
			begun = append(begun, hosts[i%6].post(long(fmt.Sprint(i+7), mib-500)))
		}
		for _, r := range begun {
			Expect(r.code()).To(BeZero())
		}
	}))

	It("do not hold the size of a request to listen, which has 64 KiB at most", serving(func(d *testHandler) {
		for range 16 {
			refused := listen(d, ann, mib-1000)
			Expect(refused.code()).To(Equal(http.StatusRequestEntityTooLarge))
			Expect(refused.text()).To(ContainSubstring(`"id":"s","error":{"code":-32000,"message":"a request to listen is over the limit of 65536 bytes"`))
		}
		for range 16 {
			Expect(listen(d, ann, 60*kib).code()).To(Equal(200))
		}

		Expect(d.connect(bob).post(long("7", mib-500)).code()).To(BeZero())
	}))
})

var _ = Describe("Answers that hosts read slowly", Label("SH02"), func() {
	It("are cut for the caller that holds most, and not for who began first", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		p, end := d.listenOn()
		begin := func(h *olderHost, id, size int) *wire {
			w := p.dial()
			body := request(fmt.Sprint(id), "tools/call", using(""))
			w.send(h.raw("Authorization: "+h.caller.Identity+"\r\nContent-Length: "+fmt.Sprint(len(body)), body))
			d.host().last().answer(`{"x":"` + strings.Repeat("x", size) + `"}`)
			return w
		}
		slow := begin(d.connect(bob), 7, 9<<20)
		many := d.connect(ann)
		var others []*wire
		for i := range 8 {
			others = append(others, begin(many, i+7, 9<<20))
		}

		code, text := slow.status()
		Expect(code).To(Equal(200))
		Expect(text).To(HaveSuffix(`xxx"}}`))
		_, err := http.ReadResponse(others[0].in, nil)
		Expect(err).To(HaveOccurred(), "the first one of the caller with most was cut")
		for _, w := range append(others, slow) {
			_ = w.Close() // the workbench may have closed it
		}
		end()
	}))

	It("count with what a stream of HTTP/2 takes, however short they are", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		var waiting []*unread
		for i := range 3000 {
			r := httptest.NewRequestWithContext(callers.WithAccess(context.Background(), h.caller), http.MethodPost, "/mcp",
				strings.NewReader(request(fmt.Sprint(i+7), "tools/call", using(""))))
			r.ProtoMajor = 2
			for name, value := range h.headers() {
				r.Header.Set(name, value)
			}
			w := &unread{header: http.Header{}, cut: make(chan struct{})}
			go d.ServeHTTP(w, r)
			synctest.Wait()
			d.host().last().answer(`{}`)
			waiting = append(waiting, w)
		}
		synctest.Wait()

		Expect(waiting[0].cut).To(BeClosed())
		Expect(waiting[2999].cut).NotTo(BeClosed())
		for _, w := range waiting {
			_ = w.SetWriteDeadline(time.Now())
		}
		d.Close()
	}))

	It("count from 4 KiB, however many they are", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		p, end := d.listenOn()
		h := d.connect(ann)
		body := request("7", "tools/call", using(""))
		var unread []*wire
		for range 1200 {
			w := p.dial()
			w.send(h.raw("Authorization: ann\r\nContent-Length: "+fmt.Sprint(len(body)), body))
			d.host().last().answer(`{"x":"` + strings.Repeat("x", 60<<10) + `"}`)
			unread = append(unread, w)
		}

		_, err := http.ReadResponse(unread[0].in, nil)
		Expect(err).To(HaveOccurred(), "the first one was cut")
		code, _ := unread[len(unread)-1].status()
		Expect(code).To(Equal(200))
		for _, w := range unread {
			_ = w.Close() // the workbench may have closed it
		}
		end()
	}))
})

// unread is a response whose host reads nothing.
type unread struct {
	header http.Header
	once   sync.Once
	cut    chan struct{} // closed when it is cut
}

// Header implements http.ResponseWriter.
func (u *unread) Header() http.Header { return u.header }

// WriteHeader implements http.ResponseWriter.
func (u *unread) WriteHeader(int) {}

// Write implements http.ResponseWriter. As in HTTP/2, a short text does not wait.
func (u *unread) Write(text []byte) (int, error) { return len(text), nil }

// FlushError is for http.ResponseController.
func (u *unread) FlushError() error {
	<-u.cut
	return os.ErrDeadlineExceeded
}

// SetReadDeadline is for http.ResponseController.
func (u *unread) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline is for http.ResponseController. A deadline that has passed cuts the response.
func (u *unread) SetWriteDeadline(deadline time.Time) error {
	if !deadline.IsZero() && !deadline.After(time.Now()) {
		u.once.Do(func() { close(u.cut) })
	}
	return nil
}
