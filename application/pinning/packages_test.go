package pinning_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

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
