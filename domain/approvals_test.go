package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A pattern of tools", func() {
	push := domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "push"}
	odd := domain.ToolIdentifier{Toolbox: "a/b", Server: "c/d", Tool: "e/f"}

	DescribeTable("names", func(text string, level domain.PatternLevel, tool domain.ToolIdentifier, names, mayName bool) {
		pattern := domain.ToolPattern{Text: text, Level: level}
		Expect(pattern.Names(tool.ServerID(), tool.Tool)).To(Equal(names))
		Expect(pattern.MayName(tool.ServerID(), tool.Tool)).To(Equal(mayName))
	},
		Entry("a tool", "push", domain.ServerPattern, push, true, true),
		Entry("a tool on every level", "push", domain.RootPattern, push, true, true),
		Entry("no other tool", "pull", domain.ServerPattern, push, false, false),
		Entry("no part of a name", "pus", domain.ServerPattern, push, false, false),
		Entry("names in their exact case only", "Push", domain.ServerPattern, push, false, false),
		Entry("by a star", "p*h", domain.ServerPattern, push, true, true),
		Entry("by a star for nothing", "push*", domain.ServerPattern, push, true, true),
		Entry("by several stars", "*u*s**", domain.ServerPattern, push, true, true),
		Entry("nothing that is in another order", "*s*u*", domain.ServerPattern, push, false, false),
		Entry("every tool by a star alone", "*", domain.RootPattern, odd, true, true),
		Entry("nothing by a question mark", "pus?", domain.ServerPattern, push, false, false),
		Entry("a tool of a server", "git/push", domain.ToolboxPattern, push, true, true),
		Entry("no tool of another server", "got/push", domain.ToolboxPattern, push, false, false),
		Entry("tools of servers by stars", "g*/*", domain.RootPattern, push, true, true),
		Entry("a tool of a server in a toolbox", "dev/git/push", domain.RootPattern, push, true, true),
		Entry("no tool of another toolbox", "ops/git/push", domain.RootPattern, push, false, false),
		Entry("no toolbox in a toolbox", "dev/git/push", domain.ToolboxPattern, push, false, false),
		Entry("no server in a server", "git/push", domain.ServerPattern, push, false, false),
		Entry("a name with a slash in its server", "e/f", domain.ServerPattern, odd, true, true),
		Entry("a name with a slash, perhaps", "e/f", domain.RootPattern, odd, false, true),
		Entry("a name with a slash by its server", "c/d/e/f", domain.ToolboxPattern, odd, true, true),
		Entry("a name with a slash by its toolbox", "a/b/c/d/e/f", domain.RootPattern, odd, true, true),
		Entry("a name with a slash by a star", "e*f", domain.RootPattern, odd, true, true),
		Entry("no tool by the name of its server", "git*", domain.RootPattern, push, false, false),
	)
})

var _ = Describe("Comparing approvals", func() {
	server := domain.ServerID{Toolbox: "t", Server: "s"}
	tools := []string{"a", "b", "ab", "s/a", "a/b", "never configured"}
	var lists []domain.ToolPatterns
	for _, texts := range [][]string{nil, {"a"}, {"b"}, {"a", "b"}, {"a*"}, {"*"}, {"s/a"}, {"s/*"}, {"t/s/a"}, {"x/a"}, {"*/a"}, {"*a*"}, {"s/a", "b"}, {"s*"}} {
		for _, level := range []domain.PatternLevel{domain.RootPattern, domain.ToolboxPattern, domain.ServerPattern} {
			var patterns domain.ToolPatterns
			for _, text := range texts {
				patterns = append(patterns, domain.ToolPattern{Text: text, Level: level})
			}
			lists = append(lists, patterns)
		}
	}

	It("never says that fewer tools need a yes when one does no more, nor says so of the same", func() {
		weaker := 0
		for _, before := range lists {
			for _, after := range lists {
				asked, asks := domain.Approvals{Confirm: before}, domain.Approvals{Confirm: after}
				for _, tool := range tools {
					if before.MayName(server, tool) && !after.MayName(server, tool) {
						Expect(asks.AsksLessThan(asked, server)).To(BeTrue(), "%v, %v, %s", before, after, tool)
						weaker++
					}
				}
				for _, tool := range tools {
					if after.Name(server, tool) && !before.Name(server, tool) {
						Expect(domain.Approvals{ReadOnly: after}.ReadsMoreThan(domain.Approvals{ReadOnly: before}, server)).To(BeTrue(), "%v, %v, %s", before, after, tool)
					}
				}
			}
			Expect(domain.Approvals{Confirm: before}.AsksLessThan(domain.Approvals{Confirm: before}, server)).To(BeFalse(), "%v", before)
			Expect(domain.Approvals{ReadOnly: before}.ReadsMoreThan(domain.Approvals{ReadOnly: before}, server)).To(BeFalse(), "%v", before)
		}
		Expect(weaker).To(BeNumerically(">", 100))
	})

	It("says so of some server when one of all servers that there may be is asked about less", func() {
		servers := []domain.ServerID{server, {Toolbox: "x", Server: "a"}, {Toolbox: "t", Server: "x"}, {Toolbox: "s", Server: "a/b"}}
		weaker := 0
		for _, before := range lists {
			for _, after := range lists {
				if len(before) > 0 && before[0].Level != domain.RootPattern || len(after) > 0 && after[0].Level != domain.RootPattern {
					continue
				}
				asked, asks := domain.Approvals{Confirm: before}, domain.Approvals{Confirm: after}
				for _, names := range servers {
					for _, tool := range tools {
						if before.MayName(names, tool) && !after.MayName(names, tool) {
							Expect(asks.AsksLessThanForSome(asked)).To(BeTrue(), "%v, %v, %v, %s", before, after, names, tool)
							weaker++
						}
					}
				}
			}
			Expect(domain.Approvals{Confirm: before}.AsksLessThanForSome(domain.Approvals{Confirm: before})).To(BeFalse(), "%v", before)
		}
		Expect(weaker).To(BeNumerically(">", 100))
	})

	It("knows what is stricter", func() {
		named := func(texts ...string) (patterns domain.ToolPatterns) {
			for _, text := range texts {
				patterns = append(patterns, domain.ToolPattern{Text: text})
			}
			return patterns
		}
		few, many := domain.Approvals{Confirm: named("delete_all", "git/push")}, domain.Approvals{Confirm: named("delete_*", "git/*"), ConfirmDestructive: true}
		Expect(many.AsksLessThan(few, server)).To(BeFalse())
		Expect(many.AsksLessThanForSome(few)).To(BeFalse())
		Expect(few.AsksLessThanForSome(many)).To(BeTrue())
		Expect(domain.Approvals{Confirm: named("*"), ConfirmDestructive: true}.AsksLessThanForSome(many)).To(BeFalse())
		Expect(few.AsksLessThan(many, server)).To(BeTrue())
		Expect(domain.Approvals{}.AsksLessThan(domain.Approvals{ConfirmDestructive: true}, server)).To(BeTrue())

		single, several := domain.Approvals{ReadOnly: named("read_file")}, domain.Approvals{ReadOnly: named("read_*")}
		Expect(single.ReadsMoreThan(several, server)).To(BeFalse())
		Expect(several.ReadsMoreThan(single, server)).To(BeTrue())
		Expect(domain.Approvals{TrustAnnotations: true}.ReadsMoreThan(several, server)).To(BeTrue())
	})
})

var _ = Describe("A server's tool", func() {
	It("needs approval by the name that is shown, too, and only reads by its own name alone", func() {
		patterns := domain.ToolPatterns{{Text: "drop"}}
		server := domain.Server{Approvals: domain.Approvals{Confirm: patterns, ReadOnly: patterns}}

		hidden := domain.ToolInfo{Name: "dr\u0007op", Shown: "drop"}
		Expect(server.NeedsYes(hidden)).To(BeTrue())
		Expect(server.OnlyReads(hidden)).To(BeFalse())

		plain := domain.ToolInfo{Name: "drop", Shown: "drop"}
		Expect(server.NeedsYes(plain)).To(BeTrue())
		Expect(server.OnlyReads(plain)).To(BeTrue())
	})
})
