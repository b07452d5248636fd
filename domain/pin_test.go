package domain_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A lock", func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	tools := func(tools ...domain.LockedTool) domain.LockedServer {
		return domain.LockedServer{ID: files, Tools: tools}
	}
	pin := func(name string, digests ...string) domain.LockedTool {
		tool := domain.LockedTool{Name: name}
		for _, digest := range digests {
			tool.Pins = append(tool.Pins, domain.Pin{Digest: digest})
		}
		return tool
	}
	optional := func(name string, digests ...string) domain.LockedTool {
		tool := pin(name, digests...)
		tool.Optional = true
		return tool
	}
	digests := func(tool domain.LockedTool) string {
		var names []string
		for _, pin := range tool.Pins {
			names = append(names, pin.Digest)
		}
		return strings.Join(names, "/")
	}
	signs := func(differences []domain.Difference) []string {
		var found []string
		for _, difference := range differences {
			Expect(difference.Tool.ServerID()).To(Equal(files))
			switch {
			case difference.Locked == nil:
				found = append(found, "+"+difference.Live.Name)
			case difference.Live == nil:
				found = append(found, "-"+difference.Locked.Name)
			default:
				found = append(found, digests(*difference.Locked)+difference.Tool.Tool+digests(*difference.Live))
			}
		}
		return found
	}

	It("finds each server by toolbox and name", func() {
		other := domain.LockedServer{ID: domain.ServerID{Toolbox: "ops", Server: "files"}}
		lock := domain.Lock{Servers: []domain.LockedServer{other, tools(pin("a", "1"))}}

		found, ok := lock.Server(files)
		Expect(ok).To(BeTrue())
		Expect(found).To(Equal(lock.Servers[1]))

		_, ok = lock.Server(domain.ServerID{Toolbox: "dev", Server: "db"})
		Expect(ok).To(BeFalse())
	})

	DescribeTable("says what is not as it was locked",
		func(locked, live []domain.LockedTool, wanted ...string) {
			Expect(signs(tools(locked...).Compare(live))).To(HaveExactElements(wanted))
		},
		Entry("nothing", []domain.LockedTool{pin("a", "1"), pin("b", "2")}, []domain.LockedTool{pin("a", "1"), pin("b", "2")}),
		Entry("nothing of nothing", nil, nil),
		Entry("a change", []domain.LockedTool{pin("a", "1"), pin("b", "2")}, []domain.LockedTool{pin("a", "1"), pin("b", "3")}, "2b3"),
		Entry("all is new", nil, []domain.LockedTool{pin("a", "1"), pin("b", "2")}, "+a", "+b"),
		Entry("all is gone", []domain.LockedTool{pin("a", "1"), pin("b", "2")}, nil, "-a", "-b"),
		Entry("some of everything, by name", []domain.LockedTool{pin("b", "1"), pin("c", "1"), pin("e", "1")},
			[]domain.LockedTool{pin("a", "1"), pin("c", "2"), pin("d", "1"), pin("f", "1")}, "+a", "-b", "1c2", "+d", "-e", "+f"),
		Entry("two definitions, in any order", []domain.LockedTool{pin("a", "1", "2")}, []domain.LockedTool{pin("a", "2", "1")}),
		Entry("one of two definitions is gone", []domain.LockedTool{pin("a", "1", "2")}, []domain.LockedTool{pin("a", "2")}, "1/2a2"),
		Entry("there is a second definition", []domain.LockedTool{pin("a", "1")}, []domain.LockedTool{pin("a", "1", "2")}, "1a1/2"),
		Entry("it is not for every host any more", []domain.LockedTool{pin("a", "1")}, []domain.LockedTool{optional("a", "1")}, "1a1"),
		Entry("an optional one is gone", []domain.LockedTool{optional("a", "1")}, nil, "-a"),
	)

	DescribeTable("says what one host is not shown as it was locked",
		func(locked, live []domain.LockedTool, wanted ...string) {
			Expect(signs(tools(locked...).Violations(live))).To(HaveExactElements(wanted))
		},
		Entry("nothing", []domain.LockedTool{pin("a", "1")}, []domain.LockedTool{pin("a", "1")}),
		Entry("nothing, as either definition fits", []domain.LockedTool{pin("a", "1", "2"), pin("b", "1", "2")}, []domain.LockedTool{pin("a", "1"), pin("b", "2")}),
		Entry("nothing, as the tool is optional", []domain.LockedTool{optional("a", "1")}, nil),
		Entry("a change", []domain.LockedTool{pin("a", "1", "2")}, []domain.LockedTool{pin("a", "3")}, "1/2a3"),
		Entry("a change of an optional one", []domain.LockedTool{optional("a", "1")}, []domain.LockedTool{pin("a", "2")}, "1a2"),
		Entry("a new one", nil, []domain.LockedTool{pin("a", "1")}, "+a"),
		Entry("a missing one", []domain.LockedTool{pin("a", "1", "2")}, nil, "-a"),
	)

	It("is made of what hosts with all capabilities and hosts with none are shown", func() {
		merged := domain.MergeLooks(
			[]domain.LockedTool{pin("a", "1"), pin("b", "1"), pin("c", "1")},
			[]domain.LockedTool{pin("a", "1"), pin("b", "2"), pin("d", "1")})

		Expect(merged).To(Equal([]domain.LockedTool{pin("a", "1"), pin("b", "1", "2"), optional("c", "1"), optional("d", "1")}))
	})

	It("has its tools sorted by name, whatever their order was", func() {
		found := []domain.LockedTool{pin("b", "1"), pin("B", "2"), pin("a", "3")}

		domain.SortTools(found)

		Expect(found).To(Equal([]domain.LockedTool{pin("B", "2"), pin("a", "3"), pin("b", "1")}))
	})

	It("counts what a comparison found", func() {
		Expect(domain.LockComparison{}.Tools()).To(BeZero())
		Expect(domain.LockComparison{Live: domain.Lock{Servers: []domain.LockedServer{tools(pin("a", "1")), tools(pin("b", "1"), pin("c", "1"))}}}.Tools()).To(Equal(3))
	})
})

var _ = Describe("A blocked tool", func() {
	list := domain.ToolList{Blocked: []domain.BlockedTool{
		{Name: "re\x01ad", Shown: "read", Why: domain.UnknownToolBlocked},
		{Name: "read", Shown: "read", Why: domain.ChangedToolBlocked, Detail: "description"},
	}}

	It("is found by its exact name first, then by the one that is shown", func() {
		exact, ok := list.Blocks("read")
		Expect(ok).To(BeTrue())
		Expect(exact.Why).To(Equal(domain.ChangedToolBlocked))

		shown, ok := domain.ToolList{Blocked: list.Blocked[:1]}.Blocks("read")
		Expect(ok).To(BeTrue())
		Expect(shown.Name).To(Equal("re\x01ad"))

		_, ok = list.Blocks("write")
		Expect(ok).To(BeFalse())
	})

	It("fails in a way that says which", func() {
		err := &domain.ToolBlockedError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}}

		Expect(err).To(MatchError(domain.ErrToolBlocked))
		Expect(err).To(MatchError(`tool "read" of server "files" of toolbox "dev" is not as it was locked`))
	})
})

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
