package application_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Starting a server lazily", func() {
	const startup = 10 * time.Second
	// ready returns a workbench in its second run: the server listed its tools in the first
	// run, and starts slowly from now on.
	ready := func(t *testing.T, policy domain.PinPolicy) *lazyWorkbench {
		lock := lockOf("read", "write")
		lock.Servers[0].Instructions = []string{"Read first."}
		w := startLazy(t, policy, lock, newFakeListings(), lazyToolbox("files"))
		w.server("files").lists("read", "write")
		w.server("files").list.Instructions = "Read first."
		Expect(w.opensDev().Connected()).To(Equal(1))
		synctest.Wait()
		w.close(time.Hour)
		w.server("files").startup = startup
		return w.again(policy)
	}
	names := func(opened domain.OpenedToolbox) []string {
		return domain.ToolList{Tools: opened.Servers[0].Tools}.Names()
	}

	It("takes no time where the lock has the tools that were listed last, and the first use waits", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinBlock)
		begun := time.Now()

		opened := w.opensDev()

		Expect(time.Since(begun)).To(BeZero())
		Expect(opened.Servers[0].Starting).To(BeTrue())
		Expect(opened.Connected()).To(BeZero())
		Expect(names(opened)).To(Equal([]string{"read", "write"}))
		Expect(opened.Servers[0].Instructions).To(Equal("Read first."), "as they are locked")
		Expect(w.registered()).To(Equal([]string{"dev__files_read", "dev__files_write"}))

		received := w.use("files", "read")
		synctest.Wait()
		times, _, _ := received.received()
		Expect(times).To(BeZero())
		time.Sleep(startup)
		synctest.Wait()
		Expect(received.result()).To(Equal(`"read"`))

		opened = w.opensDev()
		Expect(opened.Servers[0].Starting).To(BeFalse())
		Expect(opened.Servers[0].Instructions).To(Equal("Read first."))
		Expect(w.watcher.heard()).To(HaveLen(1), "the tools are the same")
	}))

	It("shows the same tools again while the server starts, and starts it once", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		first := w.opensDev()
		time.Sleep(startup / 2)

		Expect(w.opensDev()).To(Equal(first))

		starts, _ := w.server("files").counts()
		Expect(starts).To(Equal(2), "one in each run")
	}))

	It("refuses a tool that was not shown at once, and starts nothing more", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.opensDev()

		received := w.use("files", "erase")

		Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
	}))

	It("compares the tools that the server lists with the lock before any call", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinBlock)
		w.server("files").lists("read: other", "write")
		w.opensDev()

		received := w.use("files", "read")
		time.Sleep(startup)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolBlocked))
		Expect(w.server("files").called()).To(BeEmpty())
		Expect(w.registered()).To(Equal([]string{"dev__files_write"}))
		Expect(w.opensDev().Servers[0].Warnings).To(ConsistOf(HaveField("Kind", domain.ChangedToolBlocked)))
	}))

	It("warns at the next opening of tools that turned out to differ, where they may be used", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.server("files").lists("read: other", "write")
		w.opensDev()
		time.Sleep(startup)
		synctest.Wait()

		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		Expect(w.opensDev().Servers[0].Warnings).To(ConsistOf(
			HaveField("Kind", domain.ChangedSinceLocked), HaveField("Kind", domain.DefinitionChanged)))
	}))

	It("is reported by the use if it fails, removes the tools, and delays the next opening", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.server("files").fail("no such program")
		w.opensDev()
		received := w.use("files", "read")
		time.Sleep(startup)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(ContainSubstring("no such program")))
		Expect(w.registered()).To(BeEmpty())
		received = w.use("files", "erase")
		time.Sleep(startup)
		synctest.Wait()
		Expect(received.failure()).To(MatchError(ContainSubstring("no such program")), "what was shown says nothing any more")
		time.Sleep(time.Hour)

		w.server("files").repair()
		begun := time.Now()
		Expect(w.opensDev().Connected()).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(startup))
	}))

	It("ends when the toolbox is closed, and its tools are forgotten", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.opensDev()

		_, err := w.closer.CloseToolbox(t.Context(), "dev")

		Expect(err).NotTo(HaveOccurred())
		Expect(w.registered()).To(BeEmpty())
		Expect(w.use("files", "erase").failure()).To(MatchError(domain.ErrToolboxNotOpen))
		now, _ := w.server("files").alive()
		Expect(now).To(BeZero())
		Expect(w.opensDev().Servers[0].Starting).To(BeTrue())

		_, err = w.closer.CloseToolbox(t.Context(), "dev")
		Expect(err).NotTo(HaveOccurred())
		clear(w.kept.kept)
		Expect(w.opensDev().Connected()).To(Equal(1), "what was shown before is forgotten")
	}))

	It("is waited for with other settings, and the shown tools stay registered until then", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.opensDev()
		other := withServer(lazyToolbox("files"), "files", func(s *domain.Server) { s.Settings = json.RawMessage(`{"other":true}`) })

		w.sessions.Reload([]domain.Toolbox{other})
		synctest.Wait()

		Expect(w.registered()).To(Equal([]string{"dev__files_read", "dev__files_write"}))
		Expect(w.opensDev().Connected()).To(Equal(1))
	}))

	It("includes a server that came up while the opening waited for another one", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files", "slow")
		toolbox.Servers[1].Start = domain.StartOnOpen
		lock := lockOf("read", "write")
		w := startLazy(t, domain.PinWarn, lock, newFakeListings(), toolbox)
		w.server("files").lists("read", "write")
		w.opensDev()
		w.close(time.Hour)
		w.server("files").startup, w.server("slow").startup = time.Second, 3*time.Second

		opened := w.again(domain.PinWarn).opensDev()

		Expect(opened.Connected()).To(Equal(2))
	}))

	It("shows the whole list of this run, with instructions, after the server was idle", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files")
		toolbox.Servers[0].Limits.Idle = time.Minute
		w := startLazy(t, domain.PinWarn, lockOf("read"), newFakeListings(), toolbox)
		w.server("files").lists("read")
		w.server("files").list.Instructions = "Read first."
		w.opensDev()
		time.Sleep(time.Hour)
		synctest.Wait()
		w.server("files").startup = startup
		begun := time.Now()

		opened := w.opensDev()

		Expect(time.Since(begun)).To(BeZero())
		Expect(opened.Servers[0].Starting).To(BeTrue())
		Expect(opened.Servers[0].Instructions).To(Equal("Read first."))
	}))

	DescribeTable("is waited for", Label("S21"),
		func(policy domain.PinPolicy, change func(w *lazyWorkbench)) {
			spec.InBubble(func(t *testing.T) {
				w := ready(t, policy)
				change(w)
				begun := time.Now()

				opened := w.opensDev()

				Expect(time.Since(begun)).To(Equal(startup))
				Expect(opened.Connected()).To(Equal(1))
			})()
		},
		Entry("without a lock", domain.PinDefault, func(w *lazyWorkbench) { w.pins.put(nil, nil) }),
		Entry("with a lock that the policy ignores", domain.PinOff, func(*lazyWorkbench) {}),
		Entry("with a lock that cannot be read", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(nil, &domain.LockBrokenError{Reason: "x"}) }),
		Entry("with a lock that does not know the server", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(&domain.Lock{}, nil) }),
		Entry("when the lock has another definition", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(lockOf("read: new", "write"), nil) }),
		Entry("when the lock has one more tool", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(lockOf("read", "write", "erase"), nil) }),
		Entry("when the lock has one tool fewer", domain.PinBlock, func(w *lazyWorkbench) { w.pins.put(lockOf("read"), nil) }),
		Entry("when nothing is kept", domain.PinWarn, func(w *lazyWorkbench) { clear(w.kept.kept) }),
	)

	It("is waited for, and lists are not kept, where the lock has no descriptions", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files")
		toolbox.Servers[0].Pinned = domain.PinSchema
		lock := lockOf()
		lock.Servers[0].Tools = []domain.LockedTool{{Name: "read", Pins: []domain.Pin{fakeDefinitions{}.Pin(describedTool("read"), domain.PinSchema)}}}
		w := startLazy(t, domain.PinWarn, lock, newFakeListings(), toolbox)
		w.server("files").lists("read: this")
		w.opensDev()
		synctest.Wait()

		Expect(w.kept.written()).To(BeZero())
	}))

	It("keeps each complete list of the server if there is a lock", spec.InBubble(func(t *testing.T) {
		w := startLazy(t, domain.PinWarn, lockOf("read"), newFakeListings(), lazyToolbox("files"))
		w.server("files").lists("read")
		w.opensDev()
		synctest.Wait()
		Expect(w.kept.written()).To(Equal(1))

		w.server("files").lists("read", "write")
		w.server("files").sayToolsChanged()
		synctest.Wait()
		Expect(w.kept.written()).To(Equal(2))

		w.server("files").list.Warnings = []domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}}
		w.server("files").sayToolsChanged()
		synctest.Wait()
		Expect(w.kept.written()).To(Equal(2))

		unlocked := startLazy(t, domain.PinDefault, nil, newFakeListings(), lazyToolbox("files"))
		unlocked.opensDev()
		synctest.Wait()
		Expect(unlocked.kept.written()).To(BeZero())
	}))

	It("warns once for the toolbox that it has no effect without a lock", spec.InBubble(func(t *testing.T) {
		w := startLazy(t, domain.PinDefault, nil, newFakeListings(), lazyToolbox("files", "db"))

		Expect(w.opensDev().Warnings).To(ConsistOf(domain.Warning{Kind: domain.LazyWithoutLock}))
	}))
})
