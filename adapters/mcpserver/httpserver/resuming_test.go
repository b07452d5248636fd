package httpserver_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("A stream that was cut", Label("M02", "M03"), func() {
	It("continues from its first event when it was cut before a message", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		silent := h.use("7")
		time.Sleep(20 * time.Second)
		synctest.Wait()
		Expect(silent.events()).To(Equal([]string{"1-0"}))
		silent.cut()

		again := h.resume("1-0")
		h.handler.host().last().answer(`{"late":true}`)

		Expect(again.isOver()).To(BeTrue())
		Expect(again.events()).To(Equal([]string{`1-1 {"jsonrpc":"2.0","id":7,"result":{"late":true}}`}))
	}))

	It("is kept for five minutes after an answer that came meanwhile, and not longer", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		first := h.use("7")
		h.handler.host().last().says("1")
		first.cut()
		time.Sleep(time.Hour)
		h.handler.host().last().answer(`{}`)
		time.Sleep(5*time.Minute - time.Second)
		Expect(h.resume("1-1").events()).To(HaveExactElements(HavePrefix("1-2 ")))

		time.Sleep(2 * time.Second)

		Expect(h.resume("1-1").code()).To(Equal(400))
	}))

	It("is kept with the 64 that ended last, however they ended", Label("M05"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		for i := range 70 {
			r := h.use(strconv.Itoa(i + 7))
			h.handler.host().last().says("1")
			if i%2 == 0 {
				r.cut()
			}
			if i%10 == 4 {
				h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + strconv.Itoa(i+7) + `}}`)
			} else {
				h.handler.host().last().answer(`{}`)
			}
		}

		for i := range 70 {
			status := 200
			if i < 6 {
				status = 400
			}
			Expect(h.resume(fmt.Sprintf("%d-1", i+1)).code()).To(Equal(status), "stream %d", i+1)
		}
	}))

	It("keeps no more than 256 messages and 1 MiB, but always the answer", Label("M05"), spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		many := h.use("7")
		call := h.handler.host().last()
		call.says("0")
		many.cut()
		for i := range 300 {
			call.says(strconv.Itoa(i + 1))
		}
		call.answer(`{}`)
		kept := h.resume("1-1").events()
		Expect(kept).To(HaveLen(256))
		Expect(kept[0]).To(HavePrefix("1-47 "))
		Expect(kept[255]).To(HaveSuffix(`"id":7,"result":{}}`))

		large := h.use("8")
		call = h.handler.host().last()
		call.says("0")
		large.cut()
		for range 5 {
			call.says(`1,"message":"` + strings.Repeat("m", 300<<10) + `"`)
		}
		Expect(h.resume("2-1").events()).To(HaveExactElements(HavePrefix("2-4 "), HavePrefix("2-5 "), HavePrefix("2-6 ")))
		huge := strings.Repeat("x", 3<<20)
		call.answer(`{"x":"` + huge + `"}`)
		Expect(h.resume("2-1").events()).To(HaveExactElements(And(HavePrefix("2-7 "), ContainSubstring(huge))))
	}))

	It("cannot be resumed by another host, nor with the ids of its events", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		one, other := d.connect(anonymous), d.connect(anonymous)
		r := one.use("7")
		d.mu.Lock()
		served := d.hosts[0]
		d.mu.Unlock()
		served.last().says("1")
		r.cut()
		served.last().answer(`{"secret":1}`)

		Expect(other.resume("1-1").code()).To(Equal(400))
		foreign := &olderHost{handler: d, caller: anonymous, session: "unknown"}
		Expect(foreign.resume("1-1").code()).To(Equal(404))
		Expect(one.resume("1-1").events()).To(HaveExactElements(ContainSubstring("secret")))
	}))

	It("delivers every message once to a host that resumes from its last whole event, wherever it was cut", spec.InBubble(func(*testing.T) {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 18))
		for round := range spec.Seeds() {
			h := newTestHandler().open().connect(anonymous)
			reading := h.use("7")
			call := h.handler.host().last()
			var sent, heard []string
			last, number := "", 0
			// cut ends the response at some byte of it, and takes the events that arrived whole.
			cut := func() {
				text := reading.text()
				reading.cut()
				arrived := &response{}
				arrived.body.WriteString(text[:random.IntN(len(text)+1)])
				whole := strings.LastIndex(arrived.text(), "\n\n") + len("\n\n")
				arrived.body.Reset()
				if whole >= len("\n\n") {
					arrived.body.WriteString(text[:whole])
				}
				for _, event := range arrived.events() {
					id, message, isMessage := strings.Cut(event, " ")
					if last = id; isMessage {
						heard = append(heard, message)
					}
				}
			}
			say := func() {
				number++
				sent = append(sent, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d,"progressToken":"p"}}`, number))
				call.says(strconv.Itoa(number))
			}
			say()
			for range 1 + random.IntN(6) {
				for range random.IntN(4) {
					say()
				}
				cut()
				for range random.IntN(3) {
					say()
				}
				if last == "" {
					last = "1-0" // which a host that saw nothing does not know
				}
				reading = h.resume(last)
			}
			call.answer("{\n\"n\": 1}")
			sent = append(sent, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\n\"n\": 1}}")
			for len(heard) < len(sent) {
				cut()
				reading = h.resume(last)
			}

			Expect(heard).To(Equal(sent), "round %d", round)
			h.handler.Close()
		}
	}))
})

// leave has calls of a host answered on streams that may be resumed, with nine megabytes each.
func (h *olderHost) leave(calls int) {
	GinkgoHelper()
	for i := range calls {
		r := h.use(strconv.Itoa(i + 7))
		h.handler.host().last().says("1")
		h.handler.host().last().answer(`{"x":"` + strings.Repeat("x", 9<<20) + `"}`)
		Expect(r.isOver()).To(BeTrue())
	}
}

// resumable returns which of so many streams of a host may be resumed.
func (h *olderHost) resumable(streams int) (numbers []int) {
	GinkgoHelper()
	for i := range streams {
		if h.resume(fmt.Sprintf("%d-2", i+1)).code() == 200 {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

var _ = Describe("Streams that are kept for returning hosts", Label("TH03"), func() {
	It("share 64 MiB, where the oldest of the caller with most make room, so that no caller takes those of others", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		host := d.connect(anonymous)
		host.leave(2)
		other := d.connect(anonymous)
		other.leave(7)

		Expect(host.resumable(2)).To(Equal([]int{1, 2}))
		Expect(other.resumable(7)).To(Equal([]int{3, 4, 5, 6, 7}))
	}))

	It("are removed with their session", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		var other *olderHost
		first := d.connect(anonymous)
		first.leave(2)
		for range 3 {
			other = d.connect(anonymous)
			other.leave(5)
			if len(first.resumable(1)) == 1 {
				d.begin(other.caller, "DELETE", other.headers(), "")
			}
		}

		Expect(first.resumable(2)).To(Equal([]int{1, 2}))
	}))

	It("include those of calls in flight, and the oldest messages of the caller with most make room for later ones", spec.InBubble(func(*testing.T) {
		d := newTestHandler()
		d.limits.Sessions, d.limits.SessionsPerIdentity = 100, 100
		d.open()
		var away []*olderHost
		for range 70 {
			h := d.connect(ann)
			r := h.use("7")
			h.handler.host().last().says("1")
			r.cut()
			for range 4 {
				h.handler.host().last().says(`1,"message":"` + strings.Repeat("m", 250<<10) + `"`)
			}
			away = append(away, h)
		}
		for i, kept := range map[int]int{0: 0, 69: 4} {
			again := away[i].resume("1-1")
			Expect(again.events()).To(HaveLen(kept))
			again.cut()
		}
		d.host().last().answer(`{"late":true}`)
		Expect(away[69].resume("1-5").events()).To(HaveExactElements(ContainSubstring("late")))
		d.Close()
	}))

	It("drop a message larger than a stream, unless it is an answer", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		r := h.use("7")
		h.handler.host().last().says("1")
		r.cut()
		h.handler.host().last().says(`1,"message":"` + strings.Repeat("m", 2<<20) + `"`)
		h.handler.host().last().answer(`{}`)

		Expect(h.resume("1-1").events()).To(HaveExactElements(HaveSuffix(`"result":{}}`)))
	}))
})
