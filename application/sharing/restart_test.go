package sharing_test

import (
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A session that hosts share and the user restarts", func() {
	It("ends for all of them with that reason, and is made again once", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls("{}")

		w.shared.End(sharedServer("{}").ID)
		synctest.Wait()

		for _, g := range []guest{a, b} {
			Expect(g.Done()).To(BeClosed())
			Expect(g.Err()).To(MatchError(ContainSubstring("the user restarted it")))
		}
		Expect(a.hears()).To(ConsistOf(ContainSubstring("the user restarted it")))
		Expect(w.session(0).done).To(BeClosed())
		w.joins()
		w.joins()
		attempts, live, maxLive := w.seen()
		Expect([]int{attempts, live, maxLive}).To(Equal([]int{2, 1, 1}))
	}))
})
