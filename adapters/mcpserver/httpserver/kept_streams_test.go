package httpserver_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

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
