package pinning_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

// fakePins is a lock, or why it cannot be used.
type fakePins struct {
	lock  *domain.Lock
	err   error
	looks int
	// approval is the last one, ofLock whether it is for the lock.
	approval string
	ofLock   bool
}

func (p *fakePins) Lock() (*domain.Lock, error) {
	p.looks++
	return p.lock, p.err
}

func (p *fakePins) Approval() (string, bool) { return p.approval, p.ofLock }

func (*fakePins) ChangeFrom(_ *domain.Lock, _ error, change func() error) error { return change() }

func (*fakePins) Save(domain.Lock) error { return errors.New("nothing is saved here") }

var _ = Describe("A pinning policy", func() {
	broken := &domain.LockBrokenError{Path: "p", Reason: "line 2 is not valid JSON"}
	list := domain.ToolList{Tools: []domain.ToolInfo{{Name: "read\x01", Shown: "read"}}}
	decide := func(policy domain.PinPolicy, pins *fakePins) (*pinning.Pinning, pinning.LockState) {
		decisions := pinning.New(policy, pins, nil)
		return decisions, decisions.State()
	}

	DescribeTable("reports problems of the lock as a whole",
		func(policy domain.PinPolicy, pins *fakePins, warnings []domain.Warning) {
			decisions, state := decide(policy, pins)
			Expect(decisions.Warnings(state)).To(Equal(warnings))
		},
		Entry("no lock, no policy", domain.PinDefault, &fakePins{}, nil),
		Entry("no lock, warn", domain.PinWarn, &fakePins{}, []domain.Warning{{Kind: domain.LockMissing}}),
		Entry("no lock, block", domain.PinBlock, &fakePins{}, []domain.Warning{{Kind: domain.LockMissing}}),
		Entry("a lock, block", domain.PinBlock, &fakePins{lock: &domain.Lock{}}, nil),
		Entry("broken, no policy", domain.PinDefault, &fakePins{err: broken}, []domain.Warning{{Kind: domain.LockUnusable, Detail: broken.Reason}}),
		Entry("another failure", domain.PinWarn, &fakePins{err: errors.New("no idea")}, []domain.Warning{{Kind: domain.LockUnusable, Detail: "no idea"}}),
		Entry("broken, off", domain.PinOff, &fakePins{err: broken}, nil),
	)

	It("that is off reads no lock and changes no list", func() {
		pins := &fakePins{err: broken}
		decisions, state := decide(domain.PinOff, pins)

		Expect(decisions.Apply(domain.Server{}, list, state)).To(Equal(list))
		Expect(pins.looks).To(BeZero())
	})

	It("that blocks lets no tool through while the lock is broken", func() {
		decisions, state := decide(domain.PinBlock, &fakePins{err: broken})

		Expect(decisions.BlocksAll(state)).To(BeIdenticalTo(broken))
		Expect(decisions.Apply(domain.Server{}, list, state)).To(Equal(domain.ToolList{Blocked: []domain.BlockedTool{
			{Name: "read\x01", Shown: "read", Why: domain.UncheckedToolBlocked, Detail: broken.Reason},
		}}))
	})

	It("that blocks quotes no definition", func() {
		list := domain.ToolList{Warnings: []domain.Warning{
			{Kind: domain.ToolLeftOut, Tool: "a", Detail: "property \"Obey me.\""}, {Kind: domain.ListCut, Detail: "100 pages"},
		}}
		decisions, state := decide(domain.PinBlock, &fakePins{lock: &domain.Lock{}})

		Expect(decisions.Apply(domain.Server{}, list, state).Warnings).To(Equal([]domain.Warning{
			{Kind: domain.ToolLeftOut, Tool: "a", Detail: "the log says why"}, {Kind: domain.ListCut, Detail: "100 pages"},
		}))
		Expect(list.Warnings[0].Detail).To(ContainSubstring("Obey"), "the list stays")
	})

	It("that warns lets every tool through while the lock is broken", func() {
		decisions, state := decide(domain.PinWarn, &fakePins{err: broken})

		Expect(decisions.BlocksAll(state)).To(Succeed())
		Expect(decisions.Apply(domain.Server{}, list, state)).To(Equal(list))
	})

	It("that does not exist uses no lock", func() {
		var none *pinning.Pinning

		Expect(none.Warnings(none.State())).To(BeEmpty())
		Expect(none.Apply(domain.Server{}, list, none.State())).To(Equal(list))
	})
})

var _ = Describe("The policies about packages", func() {
	lock := &domain.Lock{Packages: []domain.PinnedPackage{{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}}}
	broken := &domain.LockBrokenError{Path: "p", Reason: "line 2 is not valid JSON"}

	DescribeTable("say which servers start",
		func(packages domain.PackagePolicy, pins domain.PinPolicy, file *fakePins, expected pinning.PackageState) {
			decisions := pinning.New(pins, file, nil)
			decisions.SetPackages(packages)

			Expect(decisions.Packages()).To(Equal(expected))
		},
		Entry("off", domain.PackagesOff, domain.PinBlock, &fakePins{err: broken}, pinning.PackageState{}),
		Entry("pinned", domain.PackagesPinned, domain.PinDefault, &fakePins{lock: lock}, pinning.PackageState{Lock: lock, WarnsOfLock: true}),
		Entry("pinned, tools off", domain.PackagesPinned, domain.PinOff, &fakePins{lock: lock}, pinning.PackageState{Lock: lock}),
		Entry("pinned, tools blocked", domain.PackagesPinned, domain.PinBlock, &fakePins{lock: lock},
			pinning.PackageState{Lock: lock, OnlyAsPinned: true, WarnsOfLock: true}),
		Entry("locked", domain.PackagesLocked, domain.PinOff, &fakePins{lock: lock},
			pinning.PackageState{Lock: lock, OnlyPinned: true, OnlyAsPinned: true}),
		Entry("locked, no lock", domain.PackagesLocked, domain.PinOff, &fakePins{}, pinning.PackageState{OnlyPinned: true, OnlyAsPinned: true}),
		Entry("pinned, a broken lock", domain.PackagesPinned, domain.PinOff, &fakePins{err: broken}, pinning.PackageState{Broken: broken}),
		Entry("pinned, another failure", domain.PackagesPinned, domain.PinOff, &fakePins{err: errors.New("no idea")},
			pinning.PackageState{Broken: &domain.LockBrokenError{Reason: "no idea"}}),
	)

	It("keep a lock in force after its file was removed", func() {
		for _, policy := range []domain.PinPolicy{domain.PinOff, domain.PinWarn, domain.PinBlock} {
			file := &fakePins{lock: lock}
			decisions := pinning.New(policy, file, nil)
			decisions.Packages()
			file.lock = nil

			Expect(decisions.Packages().Lock).To(BeIdenticalTo(lock))
		}
	})

	DescribeTable("leave the configured servers unchanged",
		func(state pinning.PackageState, nothing bool) { Expect(state.IsNothing()).To(Equal(nothing)) },
		Entry("without a lock", pinning.PackageState{OnlyAsPinned: true}, true),
		Entry("with a lock of no package", pinning.PackageState{Lock: &domain.Lock{}}, true),
		Entry("not with a package", pinning.AsLocked(lock), false),
		Entry("not with a broken lock", pinning.PackageState{Broken: broken}, false),
		Entry("not where only pinned ones start", pinning.PackageState{OnlyPinned: true}, false),
	)
})
