package wording_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

var _ = Describe("An answer of open_toolbox", func() {
	dev := func(servers ...domain.OpenedServer) domain.OpenedToolbox {
		return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev", Description: "For <work>"}, Servers: servers}
	}
	whole := wording.Showing{Form: definitions.Full}

	DescribeTable("does not fit an opening that it would show differently",
		func(change func(*domain.OpenedToolbox)) {
			opened := func() domain.OpenedToolbox {
				return dev(domain.OpenedServer{
					ID: files, Instructions: "x", Registered: map[string]string{"a": "dev__files_a"},
					Tools:    []domain.ToolInfo{{Name: "a", Definition: []byte(`{"name":"a"}`)}},
					Warnings: []domain.Warning{{Kind: domain.ToolListedTwice, Tool: "a"}},
				}, domain.OpenedServer{ID: db, Failure: &domain.ServerUnavailableError{ID: db, Reason: errors.New("gone")}})
			}
			answer := wording.NewOpenAnswer(opened(), whole)
			Expect(answer.Fits(opened(), whole)).To(BeTrue())
			changed := opened()
			change(&changed)

			Expect(answer.Fits(changed, whole)).To(BeFalse())
			Expect(wording.NewOpenAnswer(changed, whole).Result()).NotTo(Equal(answer.Result()))
		},
		Entry("the description", func(o *domain.OpenedToolbox) { o.Toolbox.Description = "y" }),
		Entry("a warning about the whole toolbox", func(o *domain.OpenedToolbox) { o.Warnings = []domain.Warning{{Kind: domain.LockMissing}} }),
		Entry("a warning about a server", func(o *domain.OpenedToolbox) { o.Servers[0].Warnings[0].Tool = "b" }),
		Entry("instructions", func(o *domain.OpenedToolbox) { o.Servers[0].Instructions = "y" }),
		Entry("a registered name", func(o *domain.OpenedToolbox) { o.Servers[0].Registered["a"] = "dev__files_b" }),
		Entry("a definition", func(o *domain.OpenedToolbox) { o.Servers[0].Tools[0].Definition = []byte(`{"name":"b"}`) }),
		Entry("one tool fewer", func(o *domain.OpenedToolbox) { o.Servers[0].Tools = nil }),
		Entry("a server that came up", func(o *domain.OpenedToolbox) { o.Servers[1].Failure = nil }),
		Entry("the reason of a failure", func(o *domain.OpenedToolbox) { o.Servers[1].Failure = domain.ErrShuttingDown }),
		Entry("one server fewer", func(o *domain.OpenedToolbox) { o.Servers = o.Servers[:1] }),
	)

	It("does not fit another form or budget, or a host that passes on less", func() {
		opened := dev(domain.OpenedServer{ID: files})
		answer := wording.NewOpenAnswer(opened, whole)

		Expect(answer.Fits(opened, whole)).To(BeTrue())
		for _, other := range []wording.Showing{
			{Form: definitions.Lean}, {Form: definitions.Full, Budget: 1}, {Form: definitions.Full, Host: wording.HostNamed("opencode")},
		} {
			Expect(answer.Fits(opened, other)).To(BeFalse())
		}
	})

	It("fits an opening with warnings for the same reasons", func() {
		opened := func(why error) domain.OpenedToolbox {
			return dev(domain.OpenedServer{ID: files, Warnings: []domain.Warning{{Kind: domain.ServerRestarted, Reason: why}}})
		}
		answer := wording.NewOpenAnswer(opened(&domain.HungError{Calls: 3}), whole)

		Expect(answer.Fits(opened(&domain.HungError{Calls: 3}), whole)).To(BeTrue())
		Expect(answer.Fits(opened(domain.ErrReplaced), whole)).To(BeFalse())
		Expect(answer.Fits(opened(nil), whole)).To(BeFalse())
	})
})
