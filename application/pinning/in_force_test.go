package pinning_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var lockedNames = []string{"a", "b", "c"}

// lockOfPins returns a lock with these definitions of tools: "a1" is the first definition of the
// tool "a".
func lockOfPins(definitions ...string) *domain.Lock {
	var lock domain.Lock
	for _, name := range lockedNames {
		tool := domain.LockedTool{Name: name}
		for _, definition := range definitions {
			if definition[:1] == name {
				tool.Pins = append(tool.Pins, domain.Pin{Digest: definition})
			}
		}
		if len(tool.Pins) > 0 {
			id := domain.ServerID{Toolbox: "dev", Server: domain.ServerName(name)}
			lock.Servers = append(lock.Servers, domain.LockedServer{ID: id, Instructions: []string{""}, Tools: []domain.LockedTool{tool}})
		}
	}
	return &lock
}

// definitionsOf is the inverse of lockOfPins.
func definitionsOf(lock *domain.Lock) []string {
	definitions := []string{}
	for _, server := range lock.Servers {
		for _, tool := range server.Tools {
			for _, pin := range tool.Pins {
				definitions = append(definitions, pin.Digest)
			}
		}
	}
	return definitions
}

var _ = Describe("The lock in force", Label("TP03"), func() {
	for seed := range spec.Seeds() {
		It(fmt.Sprintf("allows no more than before unless the user approved it, whatever happens to the file (seed %d)", seed), func() {
			chance := rand.New(rand.NewPCG(seed, 3))
			some := func() []string {
				return slices.DeleteFunc([]string{"a1", "a2", "b1", "b2", "c1", "c2"}, func(string) bool { return chance.IntN(3) == 0 })
			}
			counts, used := some(), "before the start"
			file := &fakePins{lock: lockOfPins(counts...), approval: used, ofLock: true}
			decisions := pinning.New(domain.PinWarn, file, nil)
			decisions.State()

			for range 60 {
				switch chance.IntN(5) {
				case 0:
					file.lock, file.err = nil, errors.New("broken")
					Expect(decisions.State().HasLock()).To(BeFalse())
					continue
				case 1:
					file.lock, file.err = nil, nil
				default:
					now := some()
					file.lock, file.err, file.ofLock = lockOfPins(now...), nil, chance.IntN(2) == 0
					if chance.IntN(3) == 0 {
						file.approval = fmt.Sprint(chance.Int())
					}
					isMore := slices.ContainsFunc(now, func(name string) bool { return !slices.Contains(counts, name) })
					if isMore && file.ofLock && file.approval != used {
						counts, used = now, file.approval
					} else {
						counts = slices.DeleteFunc(counts, func(name string) bool { return !slices.Contains(now, name) })
					}
				}

				Expect(definitionsOf(decisions.Packages().Lock)).To(Equal(counts))
			}
		})
	}

	It("is empty when it could not be read at the start, until the user approves it", func() {
		file := &fakePins{err: errors.New("broken")}
		decisions := pinning.New(domain.PinWarn, file, nil)
		decisions.State()

		file.lock, file.err = lockOfPins("a1"), nil
		Expect(definitionsOf(decisions.Packages().Lock)).To(BeEmpty())
		Expect(decisions.Warnings(decisions.State())).To(Equal([]domain.Warning{{Kind: domain.LockMoreLater}}))

		file.approval, file.ofLock = "now", true
		Expect(definitionsOf(decisions.Packages().Lock)).To(Equal([]string{"a1"}))
		Expect(decisions.Warnings(decisions.State())).To(BeEmpty())
	})

	It("is the first one found, except where a missing lock blocks every tool", func() {
		for policy, expected := range map[domain.PinPolicy][]string{domain.PinWarn: {"a1"}, domain.PinBlock: {}} {
			file := &fakePins{}
			decisions := pinning.New(policy, file, nil)
			decisions.State()

			file.lock = lockOfPins("a1")

			Expect(definitionsOf(decisions.Packages().Lock)).To(Equal(expected), string(policy))
		}
	})

	It("is that of another file once the user approved its configuration", func() {
		file := &fakePins{lock: lockOfPins("a1")}
		decisions := pinning.New(domain.PinBlock, file, nil)
		decisions.State()

		file.lock = lockOfPins("b1")
		decisions.Begin()

		Expect(definitionsOf(decisions.Packages().Lock)).To(Equal([]string{"b1"}))
	})

	It("is reported with its differences after every change", func() {
		file := &fakePins{lock: lockOfPins("a1", "b1")}
		decisions := pinning.New(domain.PinWarn, file, nil)
		changes := make(chan domain.LockChange)
		decisions.Follow(func(change domain.LockChange) { changes <- change })
		decisions.State()

		for _, step := range []struct {
			lock     *domain.Lock
			err      error
			approval string
			change   domain.LockChange
		}{
			{lock: lockOfPins("a1"), change: domain.LockRestricts},
			{lock: lockOfPins("a1", "c1"), change: domain.LockWaits},
			{lock: lockOfPins("a1", "c2"), approval: "new", change: domain.LockApproved},
			{err: errors.New("broken"), change: domain.LockBroke},
			{change: domain.LockRemoved},
		} {
			file.lock, file.err, file.approval, file.ofLock = step.lock, step.err, step.approval, step.approval != ""
			decisions.State()
			decisions.State()
			Expect(<-changes).To(Equal(step.change))
		}
	})

	Context("of packages", func() {
		id := domain.ServerID{Toolbox: "dev", Server: "files"}
		version := func(version string) *domain.Lock {
			return &domain.Lock{Packages: []domain.PinnedPackage{{ID: id, PackagePin: domain.PackagePin{Version: version}}}}
		}
		// after returns the version that runs after the lock changed, "" for none that is pinned.
		after := func(policy domain.PackagePolicy, first *domain.Lock, later ...*domain.Lock) string {
			file := &fakePins{lock: first}
			decisions := pinning.New(domain.PinDefault, file, nil)
			decisions.SetPackages(policy)
			decisions.Packages()
			for _, file.lock = range later {
				decisions.Packages()
			}
			pin, _ := decisions.Packages().Package(id)
			return pin.Version
		}

		It("keeps the versions that were pinned", func() {
			for _, policy := range []domain.PackagePolicy{domain.PackagesPinned, domain.PackagesLocked} {
				Expect(after(policy, version("1"), version("2"))).To(Equal("1"))
				Expect(after(policy, &domain.Lock{}, version("2"))).To(BeEmpty())
				Expect(after(policy, nil, version("2"))).To(BeEmpty())
			}
		})

		It("keeps a removed version, or no longer starts the server where only pinned ones start", func() {
			Expect(after(domain.PackagesPinned, version("1"), &domain.Lock{})).To(Equal("1"))
			Expect(after(domain.PackagesLocked, version("1"), &domain.Lock{})).To(BeEmpty())
			Expect(after(domain.PackagesLocked, version("1"), &domain.Lock{}, version("1"))).To(BeEmpty(), "it comes back at the next start")
		})

		It("keeps the versions of a lock that became invalid, and starts no server where only pinned ones start", func() {
			file := &fakePins{lock: version("1")}
			decisions := pinning.New(domain.PinDefault, file, nil)
			decisions.Packages()
			file.lock, file.err = nil, errors.New("broken")

			pin, _ := decisions.Packages().Package(id)
			Expect(pin.Version).To(Equal("1"))
			decisions.SetPackages(domain.PackagesLocked)
			Expect(decisions.Packages().Broken).To(HaveOccurred())
		})
	})
})
