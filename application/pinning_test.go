package application_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Tools and the lock", func() {
	const changed = "description, inputSchema"
	dev := toolbox("dev", "files")

	begin := func(t *testing.T, policy domain.PinPolicy, lock *domain.Lock, tools ...string) (*workbench, *fakePins) {
		w, pins := start(t, dev), &fakePins{lock: lock}
		w.server("files").lists(tools...)
		usePins(w, policy, pins)
		return w, pins
	}

	for _, policy := range []domain.PinPolicy{domain.PinDefault, domain.PinWarn} {
		It("with the policy \""+string(policy)+"\" are shown with warnings about differences from the lock, and can be used", spec.InBubble(func(t *testing.T) {
			w, _ := begin(t, policy, lockOf("read: old", "same", "gone"), "same", "read: new", "added")

			names, warnings := w.shown()

			Expect(names).To(Equal([]string{"same", "read", "added"}))
			Expect(warnings).To(Equal([]domain.Warning{
				{Kind: domain.NotLocked, Tool: "added"},
				{Kind: domain.LockedToolGone, Tool: "gone"},
				{Kind: domain.ChangedSinceLocked, Tool: "read", Detail: changed},
			}))
			Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		}))
	}

	It("are shown without warnings when they match the lock", spec.InBubble(func(t *testing.T) {
		w, _ := begin(t, domain.PinBlock, lockOf("a", "b"), "b", "a")

		names, warnings := w.shown()

		Expect(names).To(Equal([]string{"b", "a"}))
		Expect(warnings).To(BeEmpty())
	}))

	for _, policy := range []domain.PinPolicy{domain.PinWarn, domain.PinBlock} {
		It("with the policy \""+string(policy)+"\" may have either of two locked definitions, or be missing where they are optional", spec.InBubble(func(t *testing.T) {
			optional := lockedAs("roots")
			optional.Optional = true
			lock := lockOf()
			lock.Servers[0].Tools = []domain.LockedTool{lockedAs("ask: all", "ask: none"), lockedAs("read"), optional}
			for _, tools := range [][]string{{"ask: all", "read", "roots"}, {"ask: none", "read"}} {
				w, _ := begin(t, policy, lock, tools...)

				names, warnings := w.shown()

				Expect(names).To(HaveLen(len(tools)))
				Expect(warnings).To(BeEmpty())
				Expect(w.use("files", "ask").result()).To(Equal(`"ask"`))
			}
			w, _ := begin(t, policy, lock, "ask: evil", "read", "roots: evil")

			_, warnings := w.shown()

			Expect(warnings).To(HaveLen(2))
			Expect(warnings[0].Tool).To(Equal("ask"))
			Expect(warnings[1].Tool).To(Equal("roots"))
		}))
	}

	It("may have other descriptions where only schemas are pinned", spec.InBubble(func(t *testing.T) {
		configured := toolbox("dev", "files")
		configured.Servers[0].Pinned = domain.PinSchema
		lock := lockOf()
		lock.Servers[0].Tools = []domain.LockedTool{{Name: "read", Pins: []domain.Pin{fakeDefinitions{}.Pin(describedTool("read"), domain.PinSchema)}}}
		w := start(t, configured)
		w.server("files").lists("read: on this machine", "added")
		usePins(w, domain.PinBlock, &fakePins{lock: lock})

		names, warnings := w.shown()

		Expect(names).To(Equal([]string{"read"}))
		Expect(warnings).To(Equal([]domain.Warning{{Kind: domain.UnknownToolBlocked, Tool: "added"}}))
	}))

	It("are not compared when the policy is off, or there is no lock and no policy", spec.InBubble(func(t *testing.T) {
		off, _ := begin(t, domain.PinOff, lockOf("read: old"), "read: new")
		none, _ := begin(t, domain.PinDefault, nil, "read: new")

		for _, w := range []*workbench{off, none} {
			_, warnings := w.shown()
			Expect(warnings).To(BeEmpty())
		}
	}))

	It("are neither shown nor used when the policy blocks them", spec.InBubble(func(t *testing.T) {
		w, _ := begin(t, domain.PinBlock, lockOf("read: old", "same", "gone"), "same", "read: new", "ad\x01ded")

		names, warnings := w.shown()

		Expect(names).To(Equal([]string{"same"}))
		Expect(warnings).To(Equal([]domain.Warning{
			{Kind: domain.UnknownToolBlocked, Tool: "added"},
			{Kind: domain.LockedToolGone, Tool: "gone"},
			{Kind: domain.ChangedToolBlocked, Tool: "read", Detail: changed},
		}))
		Expect(w.use("files", "read").failure()).To(MatchError(&domain.ToolBlockedError{
			Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, Why: domain.ChangedToolBlocked, Detail: changed,
		}))
		Expect(w.use("files", "added").failure()).To(MatchError(domain.ErrToolBlocked))
		Expect(w.use("files", "ad\x01ded").failure()).To(MatchError(domain.ErrToolBlocked))
		Expect(w.use("files", "gone").failure()).To(MatchError(domain.ErrToolNotFound))
		Expect(w.use("files", "same").result()).To(Equal(`"same"`))
		Expect(w.server("files").called()).To(Equal([]string{"same"}))
	}))

	It("are all unknown to a policy that blocks, when there is no lock", spec.InBubble(func(t *testing.T) {
		w, _ := begin(t, domain.PinBlock, nil, "read")

		names, warnings := w.shown()

		Expect(names).To(BeEmpty())
		Expect(warnings).To(Equal([]domain.Warning{
			{Kind: domain.LockMissing}, {Kind: domain.ServerNotLocked}, {Kind: domain.UnknownToolBlocked, Tool: "read"},
		}))
	}))

	It("are blocked as soon as they change, before the next use", Label("X03"), spec.InBubble(func(t *testing.T) {
		w, _ := begin(t, domain.PinBlock, lockOf("read: old"), "read: old")
		w.shown()
		w.server("files").lists("read: new")
		w.server("files").sayToolsChanged()

		received := w.use("files", "read")
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolBlocked))
		Expect(w.server("files").called()).To(BeEmpty())
	}))

	It("are blocked when the server comes back with other definitions", spec.InBubble(func(t *testing.T) {
		w, _ := begin(t, domain.PinBlock, lockOf("read: old"), "read: old")
		w.shown()
		w.server("files").lists("read: new")
		w.server("files").die()
		time.Sleep(time.Hour)

		received := w.use("files", "read")
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolBlocked))
		Expect(w.server("files").called()).To(BeEmpty())
	}))

	It("are shown and used again once they are approved, without a new listing", spec.InBubble(func(t *testing.T) {
		w, pins := begin(t, domain.PinBlock, lockOf("read: old"), "read: new")
		w.shown()

		pins.approve(lockOf("read: new"))
		names, warnings := w.shown()

		Expect(names).To(Equal([]string{"read"}))
		Expect(warnings).To(BeEmpty())
		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		Expect(w.server("files").timesListed()).To(Equal(1))
	}))

	It("that the configuration hides do not count as missing", spec.InBubble(func(t *testing.T) {
		filtered := toolbox("dev", "files")
		filtered.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		w := start(t, filtered)
		w.server("files").lists("read", "write")
		usePins(w, domain.PinWarn, &fakePins{lock: lockOf("read", "write")})

		_, warnings := w.shown()

		Expect(warnings).To(BeEmpty())
	}))

	broken := &domain.LockBrokenError{Path: "p", Reason: "line 2 is not valid JSON"}

	It("are refused by a policy that blocks while the lock is broken, even if they were shown before", spec.InBubble(func(t *testing.T) {
		w, pins := begin(t, domain.PinBlock, lockOf("read"), "read")
		w.shown()
		pins.put(nil, broken)

		_, err := w.opener.OpenToolbox(t.Context(), "dev")

		Expect(err).To(BeIdenticalTo(broken))
		Expect(w.use("files", "read").failure()).To(MatchError(&domain.ToolBlockedError{
			Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"},
			Why:  domain.UncheckedToolBlocked, Detail: broken.Reason,
		}))

		pins.put(lockOf("read"), nil)
		Expect(w.shown()).To(Equal([]string{"read"}))
		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
	}))

	It("are refused without starting a server while a broken lock blocks everything", spec.InBubble(func(t *testing.T) {
		w, pins := begin(t, domain.PinBlock, nil, "read")
		pins.put(nil, errors.New("no idea"))

		_, err := w.opener.OpenToolbox(t.Context(), "dev")

		Expect(err).To(MatchError(domain.ErrLockBroken))
		Expect(w.server("files").started()).To(BeZero())
	}))

	It("are shown with a warning while the lock is broken, when nothing blocks", spec.InBubble(func(t *testing.T) {
		w, pins := begin(t, domain.PinDefault, nil, "read")
		pins.put(nil, broken)

		names, warnings := w.shown()

		Expect(names).To(Equal([]string{"read"}))
		Expect(warnings).To(Equal([]domain.Warning{{Kind: domain.LockUnusable, Detail: broken.Reason}}))
	}))

	It("of an unknown toolbox are not found, even if the lock is broken", spec.InBubble(func(t *testing.T) {
		w, pins := begin(t, domain.PinBlock, nil)
		pins.put(nil, broken)

		_, err := w.opener.OpenToolbox(t.Context(), "nope")

		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
	}))
})

var _ = Describe("A lock that cannot be used, where some hosts may not know all servers", Label("T04"), func() {
	It("does not tell a host the reason, and logs it once for the operator", func() {
		pins := &fakePins{err: &domain.LockBrokenError{Path: "workbench.lock.json", Reason: "server 'vault' of toolbox 'secret' is not an object"}}
		var noted []error
		undisclosed := pinning.Undisclosed(pins, func(err error) { noted = append(noted, err) })

		_, first := undisclosed.Lock()
		_, again := undisclosed.Lock()

		var broken *domain.LockBrokenError
		Expect(errors.As(first, &broken)).To(BeTrue())
		Expect(broken.Path).To(Equal("workbench.lock.json"))
		Expect(broken.Reason).NotTo(Or(ContainSubstring("vault"), ContainSubstring("secret")))
		Expect(again).To(BeIdenticalTo(first), "it is the same failure")
		Expect(noted).To(HaveExactElements(MatchError(ContainSubstring("vault"))))

		pins.err = nil
		pins.lock = &domain.Lock{}
		lock := spec.Must(undisclosed.Lock())
		Expect(lock).To(BeIdenticalTo(pins.lock))
	})
})
