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
