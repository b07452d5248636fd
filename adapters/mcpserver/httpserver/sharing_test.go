package httpserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/tests/spec"
)

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
		Expect(text).To(ContainSubstring("too many long messages are arriving or under way; try again in a second"))
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

var _ = Describe("Requests under way", Label("SH03"), func() {
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
	listen := func(d *testHandler, caller access.Access, size int) *response {
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
			hosts = append(hosts, d.connect(access.Access{Identity: fmt.Sprint("user ", i)}))
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

var _ = Describe("Answers that hosts read slowly", Label("SH04"), func() {
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
})
