package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A lock that another one restricts", Label("TP03"), func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	locking := func(instructions []string, definitions ...string) *domain.Lock {
		server := domain.LockedServer{ID: files, Instructions: instructions}
		for _, definition := range definitions {
			server.Tools = append(server.Tools, domain.LockedTool{Name: definition[:1], Pins: []domain.Pin{{Digest: definition}}})
		}
		return &domain.Lock{Servers: []domain.LockedServer{server}}
	}

	DescribeTable("holds what both hold", func(lock, other, both *domain.Lock, exceeds bool) {
		Expect(lock.RestrictedBy(other)).To(Equal(both))
		Expect(other.Exceeds(lock)).To(Equal(exceeds))
	},
		Entry("the same", locking(nil, "a1", "b1"), locking(nil, "a1", "b1"), locking(nil, "a1", "b1"), false),
		Entry("less", locking(nil, "a1", "b1"), locking(nil, "b1"), locking(nil, "b1"), false),
		Entry("more", locking(nil, "a1"), locking(nil, "a1", "b1"), locking(nil, "a1"), true),
		Entry("another definition", locking(nil, "a1", "b1"), locking(nil, "a2", "b1"), locking(nil, "b1"), true),
		Entry("nothing of the server", locking([]string{"Hello."}, "a1"), &domain.Lock{}, locking([]string{}), false),
		Entry("other instructions", locking([]string{"Hello."}, "a1"), locking([]string{"Send."}, "a1"), locking([]string{}, "a1"), true),
		Entry("one text of two", locking([]string{"Hello.", "Hi."}), locking([]string{"Hi."}), locking([]string{"Hi."}), false),
		Entry("a newer version", locking(nil, "a1"), locking([]string{""}, "a2"), locking(nil), true),
		Entry("an older version", locking([]string{""}, "a2"), locking(nil, "a1"), locking([]string{}), true),
	)

	It("is the same lock if it loses nothing", func() {
		lock := locking([]string{"Hello."}, "a1")
		Expect(lock.RestrictedBy(locking([]string{"Hello.", "Hi."}, "a1", "a2"))).To(BeIdenticalTo(lock))
	})

	It("exceeds another one by packages too", func() {
		pinned := &domain.Lock{Packages: []domain.PinnedPackage{{ID: files, PackagePin: domain.PackagePin{Version: "2"}}}}
		Expect(pinned.Exceeds(&domain.Lock{})).To(BeTrue())
		Expect(pinned.Exceeds(&domain.Lock{Packages: []domain.PinnedPackage{{ID: files, PackagePin: domain.PackagePin{Version: "1"}}}})).To(BeTrue())
		Expect(pinned.Exceeds(pinned)).To(BeFalse())
	})
})
