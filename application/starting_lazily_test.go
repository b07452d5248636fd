package application_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Starting a server lazily", func() {
	const startup = 10 * time.Second
	// ready returns a workbench in its second run: the server listed its tools in the first
	// run, and starts slowly from now on.
	readyWith := func(t *testing.T, policy domain.PinPolicy, change func(*domain.Server)) *lazyWorkbench {
		var lock *domain.Lock
		if policy != domain.PinDefault {
			lock = lockOf("read", "write")
			lock.Servers[0].Instructions = []string{"Read first."}
		}
		w := startLazy(t, policy, lock, newFakeListings(), withServer(lazyToolbox("files"), "files", change))
		w.server("files").lists("read", "write")
		w.server("files").list.Instructions = "Read first."
		Expect(w.opensDev().Connected()).To(Equal(1))
		synctest.Wait()
		w.close(time.Hour)
		w.server("files").startup = startup
		return w.again(policy)
	}
	ready := func(t *testing.T, policy domain.PinPolicy) *lazyWorkbench {
		return readyWith(t, policy, func(*domain.Server) {})
	}
	names := func(opened domain.OpenedToolbox) []string {
		return domain.ToolList{Tools: opened.Servers[0].Tools}.Names()
	}

	inBubble := func(do func(*testing.T, domain.PinPolicy)) func(domain.PinPolicy) {
		return func(policy domain.PinPolicy) { spec.InBubble(func(t *testing.T) { do(t, policy) })() }
	}

	DescribeTable("takes no time where the tools that were listed last are known, and the first use waits", inBubble(func(t *testing.T, policy domain.PinPolicy) {
		w := ready(t, policy)
		begun := time.Now()

		opened := w.opensDev()

		Expect(time.Since(begun)).To(BeZero())
		Expect(opened.Servers[0].Starting).To(BeTrue())
		Expect(opened.Connected()).To(BeZero())
		Expect(names(opened)).To(Equal([]string{"read", "write"}))
		Expect(opened.Servers[0].Instructions).To(Equal("Read first."))
		Expect(w.registeredTools()).To(Equal([]string{"dev__files_read", "dev__files_write"}))

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
	}), Entry("without a lock", domain.PinDefault), Entry("with a lock that is ignored", domain.PinOff), Entry("with a lock that has them", domain.PinBlock))

	DescribeTable("calls no tool with a definition that the host was not shown", inBubble(func(t *testing.T, policy domain.PinPolicy) {
		w := ready(t, policy)
		w.server("files").lists("read: other", "new")
		w.opensDev()
		early := []*outcome{w.use("files", "read"), w.use("files", "read"), w.use("files", "write")}
		time.Sleep(startup)
		synctest.Wait()

		for _, refused := range early[:2] {
			changed, isChanged := errors.AsType[*domain.DefinitionChangedError](refused.failure())
			Expect(isChanged).To(BeTrue(), "calls that were made before the server was up are all about the old definition")
			Expect(changed.Changed).To(HavePrefix("description"))
			Expect(string(changed.Definition)).To(ContainSubstring("other"))
		}
		gone, isGone := errors.AsType[*domain.ToolNotFoundError](early[2].failure())
		Expect(isGone && gone.Gone).To(BeTrue())
		Expect(w.server("files").called()).To(BeEmpty())
		Expect(w.use("files", "read").result()).To(Equal(`"read"`), "the next call")
		Expect(w.use("files", "new").result()).To(Equal(`"new"`), "which was never shown")
	}), Entry("without a lock", domain.PinDefault), Entry("with one that warns", domain.PinWarn))

	DescribeTable("refuses the first call of a changed tool once", Label("S20"), func(before func(*lazyWorkbench), isRefused bool) {
		spec.InBubble(func(t *testing.T) {
			w := ready(t, domain.PinDefault)
			w.server("files").lists("read: other", "write")
			w.opensDev()
			time.Sleep(startup)
			synctest.Wait()
			before(w)

			received := w.use("files", "read")
			time.Sleep(startup)
			synctest.Wait()
			if isRefused {
				Expect(received.failure()).To(MatchError(domain.ErrDefinitionChanged))
				received = w.use("files", "read")
				time.Sleep(startup)
				synctest.Wait()
			}
			Expect(received.result()).To(Equal(`"read"`))
		})()
	},
		Entry("after the server came up", func(*lazyWorkbench) {}, true),
		Entry("after another tool was called", func(w *lazyWorkbench) { w.use("files", "write") }, true),
		Entry("after a restart", func(w *lazyWorkbench) { w.server("files").die(); synctest.Wait() }, true),
		Entry("but not after an opening has shown it", func(w *lazyWorkbench) { w.opensDev() }, false),
	)

	It("leaves one processor to the server that is used: the others are started in turn, and it at once", Label("S20"), spec.InBubble(func(t *testing.T) {
		atOnce := max(1, runtime.NumCPU()-1)
		var names []domain.ServerName
		for i := range atOnce + 2 {
			names = append(names, domain.ServerName("s"+strconv.Itoa(i)))
		}
		first := startLazy(t, domain.PinDefault, nil, newFakeListings(), lazyToolbox(names...))
		Expect(first.opensDev().Connected()).To(Equal(len(names)))
		synctest.Wait()
		first.close(time.Hour)
		w := first.again(domain.PinDefault)
		for _, name := range names {
			w.server(name).startup = startup
		}
		waiting := func() []domain.ServerName {
			synctest.Wait()
			return slices.DeleteFunc(slices.Clone(names), func(name domain.ServerName) bool {
				starts, _ := w.server(name).counts()
				return starts == 2
			})
		}

		Expect(w.opensDev().Connected()).To(BeZero())
		Expect(waiting()).To(HaveLen(2))

		received := w.use(waiting()[0], "read")
		Expect(waiting()).To(HaveLen(1))
		time.Sleep(startup)
		Expect(waiting()).To(BeEmpty())
		Expect(received.result()).To(Equal(`"read"`))
	}))

	It("makes a call that opens the toolbox itself, which was shown nothing", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinDefault)
		w.server("files").lists("read: other", "write")

		received := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{Intent: ports.Intent{Opens: true}})
		time.Sleep(startup)
		synctest.Wait()

		Expect(received.result()).To(Equal(`"read"`))
	}))

	It("lets a list that no lock confirms decide nothing", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files")
		toolbox.Servers[0].Approvals.ReadOnly = tools("read")
		w := startLazy(t, domain.PinDefault, nil, newFakeListings(), toolbox)
		w.server("files").lists("read")
		Expect(w.opensDev().Servers[0].OnlyRead).To(HaveKey("read"))
		synctest.Wait()
		w.close(time.Hour)
		w.server("files").startup = startup
		w.server("files").lists("read", "new")
		w = w.again(domain.PinDefault)

		opened := w.opensDev()
		unknown := w.use("files", "new")
		time.Sleep(startup)
		synctest.Wait()

		Expect(opened.Servers[0].Starting).To(BeTrue())
		Expect(opened.Servers[0].OnlyRead).To(BeNil())
		Expect(unknown.result()).To(Equal(`"new"`), "the server's own list counts")
		Expect(w.opensDev().Servers[0].OnlyRead).To(HaveKey("read"))
	}))

	It("asks again with each start of a server whose list is never the same", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinDefault)
		for _, description := range []string{"one", "two", "three"} {
			w.server("files").lists("read: "+description, "write")
			Expect(w.opensDev().Servers[0].Starting).To(BeTrue())
			received := w.use("files", "read")
			time.Sleep(startup)
			synctest.Wait()
			Expect(received.failure()).To(MatchError(domain.ErrDefinitionChanged))
			Expect(w.use("files", "read").result()).To(Equal(`"read"`))
			w.close(time.Hour)
			w = w.again(domain.PinDefault)
		}
	}))

	startsAtUse := func(server *domain.Server) { server.Start = domain.StartOnUse }

	DescribeTable("waits for its first use if that is configured, and again after it was idle", inBubble(func(t *testing.T, policy domain.PinPolicy) {
		w := readyWith(t, policy, func(server *domain.Server) { server.Start, server.Limits.Idle = domain.StartOnUse, time.Hour })
		starts := func() int {
			starts, _ := w.server("files").counts()
			return starts - 1 // in the first run
		}
		for used := range 3 {
			begun := time.Now()
			opened := w.opensDev()
			Expect(time.Since(begun)).To(BeZero())
			Expect(opened.Connected()).To(BeZero())
			Expect(opened.Servers[0].AtUse).To(BeTrue())
			if used == 0 {
				w.sessions.Statuses(func(status ports.ServerStatus) { Expect(status.State).To(Equal("starts at its first use")) })
			}
			Expect(names(opened)).To(Equal([]string{"read", "write"}))
			Expect(w.registeredTools()).To(Equal([]string{"dev__files_read", "dev__files_write"}))
			time.Sleep(time.Hour)
			Expect(starts()).To(Equal(used))

			received := w.use("files", "read")
			time.Sleep(startup)
			synctest.Wait()
			Expect(received.result()).To(Equal(`"read"`))
			Expect(w.opensDev().Connected()).To(Equal(1))
			time.Sleep(2 * time.Hour)
			synctest.Wait()
		}
	}), Entry("without a lock", domain.PinDefault), Entry("with a lock that has its tools", domain.PinBlock))

	DescribeTable("does not wait for its first use", func(change func(*lazyWorkbench)) {
		spec.InBubble(func(t *testing.T) {
			w := readyWith(t, domain.PinDefault, startsAtUse)
			change(w)

			Expect(w.opensDev().Servers[0].AtUse).To(BeFalse())
			synctest.Wait()
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(2), "one in each run")
		})()
	},
		Entry("when nothing is known", func(w *lazyWorkbench) { clear(w.kept.kept) }),
		Entry("when what is known is too old", func(w *lazyWorkbench) { w.kept.age(31 * 24 * time.Hour) }),
		Entry("when it has no tool to use", func(w *lazyWorkbench) {
			for key := range w.kept.kept {
				w.kept.kept[key] = ports.KeptList{Listed: time.Now()}
			}
		}),
		Entry("when its settings change after it was shown", func(w *lazyWorkbench) {
			w.opensDev()
			other := withServer(lazyToolbox("files"), "files", func(s *domain.Server) { s.Settings = json.RawMessage(`{"other":true}`); startsAtUse(s) })
			w.sessions.Reload([]domain.Toolbox{other})
			synctest.Wait()
			Expect(w.registeredTools()).To(HaveLen(2), "it can still be called")
		}),
	)

	It("says at its first use that it cannot be started, and the next opening says so too", spec.InBubble(func(t *testing.T) {
		w := readyWith(t, domain.PinDefault, startsAtUse)
		w.server("files").fail("no such program")
		w.opensDev()
		received := w.use("files", "read")
		time.Sleep(startup)
		synctest.Wait()
		Expect(received.failure()).To(MatchError(ContainSubstring("no such program")))
		Expect(w.registeredTools()).To(BeEmpty())

		w.server("files").repair()
		opened := w.opensDev()

		Expect(opened.Connected()).To(Equal(1))
		Expect(opened.Servers[0].Warnings).To(ConsistOf(And(
			HaveField("Kind", domain.StartFailed), HaveField("Reason", MatchError(ContainSubstring("no such program"))))))
		Expect(w.opensDev().Servers[0].Warnings).To(BeEmpty())
	}))

	It("is forgotten when its toolbox is closed or it is removed before its first use", spec.InBubble(func(t *testing.T) {
		w := readyWith(t, domain.PinDefault, startsAtUse)
		w.opensDev()
		_, err := w.closer.CloseToolbox(t.Context(), "dev")
		Expect(err).NotTo(HaveOccurred())
		Expect(w.registeredTools()).To(BeEmpty())
		w.opensDev()

		w.sessions.Reload(nil)

		Expect(w.known.Tools(domain.ServerID{Toolbox: "dev", Server: "files"})).To(BeEmpty())
		starts, _ := w.server("files").counts()
		Expect(starts).To(Equal(1))
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
		Expect(w.registeredTools()).To(Equal([]string{"dev__files_write"}))
		Expect(w.opensDev().Servers[0].Warnings).To(ConsistOf(HaveField("Kind", domain.ChangedToolBlocked)))
	}))

	It("warns at the next opening of tools that turned out to differ", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.server("files").lists("read: other", "write")
		w.opensDev()
		time.Sleep(startup)
		synctest.Wait()

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
		Expect(w.registeredTools()).To(BeEmpty())
		received = w.use("files", "erase")
		time.Sleep(startup)
		synctest.Wait()
		Expect(received.failure()).To(MatchError(ContainSubstring("no such program")), "what was shown says nothing any more")
		time.Sleep(time.Hour)

		w.server("files").repair()
		for _, next := range []*lazyWorkbench{w.again(domain.PinWarn), w} {
			begun := time.Now()
			Expect(next.opensDev().Connected()).To(Equal(1))
			Expect(time.Since(begun)).To(Equal(startup))
			next.close(time.Hour)
		}
	}))

	It("ends when the toolbox is closed, and its tools are forgotten", spec.InBubble(func(t *testing.T) {
		w := ready(t, domain.PinWarn)
		w.opensDev()

		_, err := w.closer.CloseToolbox(t.Context(), "dev")

		Expect(err).NotTo(HaveOccurred())
		Expect(w.registeredTools()).To(BeEmpty())
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

		Expect(w.registeredTools()).To(Equal([]string{"dev__files_read", "dev__files_write"}))
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
		Entry("without the lock that the policy demands", domain.PinBlock, func(w *lazyWorkbench) { w.pins.put(nil, nil) }),
		Entry("without a lock, when the list is too old", domain.PinDefault, func(w *lazyWorkbench) { w.kept.age(31 * 24 * time.Hour) }),
		Entry("without a lock, when the clock was set back", domain.PinDefault, func(w *lazyWorkbench) { w.kept.age(-31 * 24 * time.Hour) }),
		Entry("without a lock, when it listed them in another folder", domain.PinDefault, func(w *lazyWorkbench) { w.kept.elsewhere = true }),
		Entry("without a lock, when its settings changed", domain.PinDefault, func(w *lazyWorkbench) {
			w.catalog = fakeCatalog{withServer(lazyToolbox("files"), "files", func(s *domain.Server) { s.Settings = json.RawMessage(`{"other":true}`) })}
			w.wireLazy(domain.PinDefault)
		}),
		Entry("with a lock that cannot be read", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(nil, &domain.LockBrokenError{Reason: "x"}) }),
		Entry("with a lock that does not know the server", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(&domain.Lock{}, nil) }),
		Entry("when the lock has another definition", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(lockOf("read: new", "write"), nil) }),
		Entry("when the lock has one more tool", domain.PinWarn, func(w *lazyWorkbench) { w.pins.put(lockOf("read", "write", "erase"), nil) }),
		Entry("when the lock has one tool fewer", domain.PinBlock, func(w *lazyWorkbench) { w.pins.put(lockOf("read"), nil) }),
		Entry("when nothing is kept", domain.PinWarn, func(w *lazyWorkbench) { clear(w.kept.kept) }),
	)

	It("is waited for where the lock has no descriptions", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files")
		toolbox.Servers[0].Pinned = domain.PinSchema
		lock := lockOf()
		lock.Servers[0].Tools = []domain.LockedTool{{Name: "read", Pins: []domain.Pin{fakeDefinitions{}.Pin(describedTool("read"), domain.PinSchema)}}}
		w := startLazy(t, domain.PinWarn, lock, newFakeListings(), toolbox)
		w.server("files").lists("read: this")
		w.opensDev()
		synctest.Wait()
		w.close(time.Hour)

		Expect(w.again(domain.PinWarn).opensDev().Connected()).To(Equal(1))
	}))

	It("keeps each complete list of the server", spec.InBubble(func(t *testing.T) {
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
	}))
})
