package sharing_test

import (
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
		Expect(a.hears()).To(HaveEach(ContainSubstring("limits.inFlight")))
		Expect(b.hears()).To(BeEmpty())
		Expect(w.session(0).requestsFor("tools/call")).To(HaveLen(896 + 20))
	}))
})
