package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Filtering tools", func() {
	DescribeTable("lets through",
		func(filter domain.ToolFilter, tool string, allowed bool) {
			Expect(filter.Allows(tool)).To(Equal(allowed))
		},
		Entry("every tool without a list", domain.ToolFilter{}, "read", true),
		Entry("every tool with a star", domain.OnlyTools([]string{"*"}), "read", true),
		Entry("every tool with a star among names", domain.OnlyTools([]string{"write", "*"}), "read", true),
		Entry("every tool but those that are left out beside a star", domain.OnlyTools([]string{"!write", "*"}), "read", true),
		Entry("no tool that is left out beside a star", domain.OnlyTools([]string{"*", "!write"}), "write", false),
		Entry("no tool that is left out without a star", domain.OnlyTools([]string{"!write"}), "read", false),
		Entry("every tool beside a lone exclamation mark", domain.OnlyTools([]string{"*", "!"}), "", true),
		Entry("no tool with an empty list", domain.OnlyTools([]string{}), "read", false),
		Entry("no tool with a list that is nil", domain.OnlyTools(nil), "read", false),
		Entry("a tool that is listed", domain.OnlyTools([]string{"read", "write"}), "write", true),
		Entry("no tool that is not", domain.OnlyTools([]string{"read"}), "write", false),
		Entry("names in their exact case only", domain.OnlyTools([]string{"read"}), "Read", false),
		Entry("no part of a name", domain.OnlyTools([]string{"read"}), "read_file", false),
		Entry("stars inside of names as what they are", domain.OnlyTools([]string{"read*"}), "read_file", false),
	)

	It("does not change with the list that it was made of", func() {
		names := []string{"read"}
		filter := domain.OnlyTools(names)

		names[0] = "write"

		Expect(filter.Allows("read")).To(BeTrue())
		Expect(filter.Allows("write")).To(BeFalse())
	})

	Describe("applied to a list", func() {
		list := domain.ToolList{
			Instructions: "Be kind.",
			Tools: []domain.ToolInfo{
				{Name: "c", Shown: "c"}, {Name: "a\x01", Shown: "a"}, {Name: "b", Shown: "b"},
			},
			Warnings: []domain.Warning{
				{Kind: domain.ListCut, Detail: "100 pages"},
				{Kind: domain.SuspiciousText, Tool: "a"},
				{Kind: domain.ToolListedTwice, Tool: "b"},
			},
		}

		It("keeps the order of the server and what is said about what is left", func() {
			filtered := domain.OnlyTools([]string{"a\x01", "c"}).Apply(list)

			Expect(filtered).To(Equal(domain.ToolList{
				Instructions: "Be kind.",
				Tools:        []domain.ToolInfo{{Name: "c", Shown: "c"}, {Name: "a\x01", Shown: "a"}},
				Warnings: []domain.Warning{
					{Kind: domain.ListCut, Detail: "100 pages"}, {Kind: domain.SuspiciousText, Tool: "a"},
				},
			}))
		})

		It("keeps what is said about a tool that it lets through and that cannot be called", func() {
			left := []domain.Warning{{Kind: domain.ToolLeftOut, Tool: "d", Detail: "odd"}}

			Expect(domain.OnlyTools([]string{"d"}).Apply(domain.ToolList{Warnings: left}).Warnings).To(Equal(left))
			Expect(domain.OnlyTools([]string{"c"}).Apply(domain.ToolList{Warnings: left}).Warnings).To(BeEmpty())
		})

		It("leaves a list alone that everything is let through of", func() {
			Expect(domain.OnlyTools([]string{"*"}).Apply(list)).To(Equal(list))
		})

		It("leaves nothing of a list that nothing is let through of but what is about the server", func() {
			Expect(domain.OnlyTools(nil).Apply(list)).To(Equal(domain.ToolList{
				Instructions: "Be kind.", Warnings: []domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}},
			}))
		})

		It("is without the tools that are left out, and what is said about them", func() {
			Expect(domain.OnlyTools([]string{"*", "!a\x01", "!c"}).Apply(list)).To(Equal(domain.ToolList{
				Instructions: "Be kind.",
				Tools:        []domain.ToolInfo{{Name: "b", Shown: "b"}},
				Warnings:     []domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}, {Kind: domain.ToolListedTwice, Tool: "b"}},
			}))
		})

		It("compares exact names, not those that are shown", func() {
			Expect(domain.OnlyTools([]string{"a"}).Apply(list).Tools).To(BeEmpty())
		})
	})

	It("knows which of its names no tool has", func() {
		tools := []domain.ToolInfo{{Name: "read"}, {Name: "write"}}

		Expect(domain.OnlyTools([]string{"reed", "write", "erase"}).Missing(tools)).To(Equal([]string{"reed", "erase"}))
		Expect(domain.OnlyTools([]string{"*", "reed"}).Missing(tools)).To(BeEmpty())
		Expect(domain.OnlyTools([]string{"*", "!reed", "!read"}).Missing(tools)).To(Equal([]string{"reed"}))
		Expect(domain.ToolFilter{}.Missing(tools)).To(BeEmpty())
	})
})
