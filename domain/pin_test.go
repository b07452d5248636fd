package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A lock", func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	tools := func(pins ...domain.Pin) domain.LockedServer { return domain.LockedServer{ID: files, Tools: pins} }
	pin := func(tool, digest string) domain.Pin { return domain.Pin{Tool: tool, Digest: digest} }

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
		func(locked, live []domain.Pin, wanted ...string) {
			var found []string
			for _, difference := range tools(locked...).Compare(live) {
				Expect(difference.Tool.ServerID()).To(Equal(files))
				switch {
				case difference.Locked == nil:
					found = append(found, "+"+difference.Live.Tool)
				case difference.Live == nil:
					found = append(found, "-"+difference.Locked.Tool)
				default:
					found = append(found, difference.Locked.Digest+difference.Tool.Tool+difference.Live.Digest)
				}
			}
			Expect(found).To(HaveExactElements(wanted))
		},
		Entry("nothing", []domain.Pin{pin("a", "1"), pin("b", "2")}, []domain.Pin{pin("a", "1"), pin("b", "2")}),
		Entry("nothing of nothing", nil, nil),
		Entry("a change", []domain.Pin{pin("a", "1"), pin("b", "2")}, []domain.Pin{pin("a", "1"), pin("b", "3")}, "2b3"),
		Entry("all is new", nil, []domain.Pin{pin("a", "1"), pin("b", "2")}, "+a", "+b"),
		Entry("all is gone", []domain.Pin{pin("a", "1"), pin("b", "2")}, nil, "-a", "-b"),
		Entry("some of everything, by name", []domain.Pin{pin("b", "1"), pin("c", "1"), pin("e", "1")},
			[]domain.Pin{pin("a", "1"), pin("c", "2"), pin("d", "1"), pin("f", "1")}, "+a", "-b", "1c2", "+d", "-e", "+f"),
	)

	It("has its tools sorted by name, whatever their order was", func() {
		pins := []domain.Pin{pin("b", "1"), pin("B", "2"), pin("a", "3")}

		domain.SortPins(pins)

		Expect(pins).To(Equal([]domain.Pin{pin("B", "2"), pin("a", "3"), pin("b", "1")}))
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
