package sharing_test

import (
	"context"
	"fmt"
	"slices"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The requests that a shared server takes at once", Label("SH02"), func() {
	It("cannot be used up by one host: it loses its newest ones when others need them", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		for range 1100 {
			a.calls(`"of a"`)
		}
		refused := len(a.hears())
		Expect(refused).To(Equal(1100 - 896))

		for range 20 {
			b.calls(`"of b"`)
		}

		Expect(a.hears()).To(HaveLen(refused + 20))
		Expect(a.hears()).To(HaveEach(MatchRegexp(`^failed: server "files" of toolbox "dev": this host has .*limits\.inFlight`)), "as a failure that a model is told")
		Expect(b.hears()).To(BeEmpty())
		Expect(w.session(0).requestsFor("tools/call")).To(HaveLen(896 + 20))
	}))

	It("counts subscriptions that the server has not answered, also for hosts that do not wait any more", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		for i := range 1100 {
			ctx, cancel := context.WithCancel(w.t.Context())
			a.asksUntil(ctx, subscribe, fmt.Sprintf(`{"uri":"file:///%d"}`, i))
			cancel()
		}
		under := func() int {
			synctest.Wait()
			asked := append(w.session(0).requestsFor(subscribe), w.session(0).requestsFor("tools/call")...)
			return len(slices.DeleteFunc(asked, (*fakeRequest).answered))
		}
		Expect(under()).To(Equal(896))

		for range 20 {
			b.calls(`"of b"`)
		}

		Expect(under()).To(Equal(896))
		Expect(b.hears()).To(BeEmpty())
		b.asks(subscribe, `{"uri":"file:///1099"}`)
		w.session(0).last(subscribe, "{}")
		Expect(b.hears()).To(Equal([]string{"got {}"}))
	}))
})
