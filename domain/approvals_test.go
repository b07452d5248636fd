package domain_test

import (
	"encoding/json"
	"fmt"
	"strings"

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

var _ = Describe("Patterns that name no tool", func() {
	// confirming is a server whose tools are known, with one pattern to confirm.
	confirming := func(text string, level domain.PatternLevel, tools ...string) domain.ListedTools {
		return domain.ListedTools{
			Server: domain.Server{
				ID:        domain.ServerID{Toolbox: "dev", Server: "git"},
				Approvals: domain.Approvals{Confirm: domain.ToolPatterns{{Text: text, Level: level}}},
			},
			Names: tools, Known: true,
		}
	}
	// lines returns each pattern with where it is and what is near: "confirm dev/git: pusj ~ push".
	lines := func(servers ...domain.ListedTools) []string {
		var lines []string
		for _, unmatched := range domain.UnmatchedPatterns(servers) {
			place := strings.Trim(string(unmatched.Toolbox)+"/"+string(unmatched.Server), "/")
			lines = append(lines, strings.TrimSuffix(
				fmt.Sprintf("%s %s: %s ~ %s", unmatched.Key, place, unmatched.Pattern.Text, strings.Join(unmatched.Nearest, ", ")), " ~ "))
		}
		return lines
	}

	DescribeTable("are named with the nearest ones",
		func(text string, level domain.PatternLevel, line string) {
			Expect(lines(confirming(text, level, "delete_file", "delete_dir", "push"))).To(HaveExactElements(line))
		},
		Entry("a tool", "pusj", domain.ServerPattern, "confirm dev/git: pusj ~ push"),
		Entry("two letters that are swapped", "psuh", domain.ServerPattern, "confirm dev/git: psuh ~ push"),
		Entry("a star", "delte_*", domain.ToolboxPattern, "confirm dev: delte_* ~ delete_file, delete_dir"),
		Entry("a star in front", "*_fil", domain.RootPattern, "confirm : *_fil ~ delete_file"),
		Entry("nothing near", "drop_table", domain.RootPattern, "confirm : drop_table"),
		Entry("a server", "gti/push", domain.RootPattern, "confirm : gti/push ~ git/push"),
		Entry("a toolbox", "dec/git/push", domain.RootPattern, "confirm : dec/git/push ~ dev/git/push"),
		Entry("a tool of a server", "git/pusch", domain.ToolboxPattern, "confirm dev: git/pusch ~ git/push"),
		Entry("a tool, with its server where there is but one", "git/push", domain.ServerPattern,
			"confirm dev/git: git/push ~ push"),
		Entry("a server, with its toolbox where there is but one", "dev/git/push", domain.ToolboxPattern,
			"confirm dev: dev/git/push ~ git/push"),
		Entry("a tool, with its toolbox where there is but one server", "dev/git/delete_*", domain.ServerPattern,
			"confirm dev/git: dev/git/delete_* ~ delete_file, delete_dir"),
		Entry("a registered name", "dev__git_push", domain.RootPattern, "confirm : dev__git_push ~ dev/git/push"),
		Entry("a registered name in a server", "dev__git_push", domain.ServerPattern,
			"confirm dev/git: dev__git_push ~ push"),
		Entry("in another case", "Push", domain.ServerPattern, "confirm dev/git: Push ~ push"),
		Entry("that hide text", "pu\x07sh", domain.ServerPattern, "confirm dev/git: pu\x07sh ~ push"),
	)

	It("are not those that name one, also one that is left out by a filter", func() {
		for _, text := range []string{"push", "p*", "git/push", "dev/git/*", "*/push"} {
			Expect(lines(confirming(text, domain.RootPattern, "push"))).To(BeEmpty(), text)
		}
		Expect(lines(confirming("a/b", domain.RootPattern, "a/b"))).To(BeEmpty(), "confirm takes the whole text for a name too")
	})

	It("are known only when all tools are that they may name", func() {
		unknown := domain.ListedTools{Server: domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: "db"}}}

		Expect(lines(confirming("drop", domain.RootPattern, "push"), unknown)).To(BeEmpty())
		Expect(lines(confirming("drop", domain.ServerPattern, "push"), unknown)).To(HaveLen(1))
		Expect(lines(confirming("db/drop", domain.RootPattern, "push"), unknown)).To(BeEmpty())
		Expect(lines(confirming("git/drop", domain.RootPattern, "push"), unknown)).To(HaveLen(1))
		Expect(lines(confirming("bd/drop", domain.RootPattern, "push"), unknown)).To(HaveExactElements(
			"confirm : bd/drop ~ db/drop"))
	})

	It("are not the word for what is destructive", func() {
		server := confirming(domain.Destructive, domain.RootPattern, "push")
		Expect(lines(server)).To(HaveLen(1))
		server.Server.Approvals.ConfirmDestructive = true
		Expect(lines(server)).To(BeEmpty())
	})

	It("are said once, however many servers they count for", func() {
		other := confirming("drop", domain.RootPattern, "push")
		other.Server.ID.Server = "svn"
		Expect(lines(confirming("drop", domain.RootPattern, "push"), other)).To(HaveLen(1))
	})

	It("are those of readOnly, too, which takes no whole text for a name", func() {
		server := confirming("push", domain.RootPattern, "push", "a/b")
		server.Server.Approvals.ReadOnly = domain.ToolPatterns{{Text: "a/b"}, {Text: "push"}}
		Expect(lines(server)).To(HaveExactElements(HavePrefix("readOnly : a/b")))
	})
})

var _ = Describe("A yes to a call", func() {
	question := domain.ConfirmationQuestion{
		Tool:       domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "delete"},
		Definition: json.RawMessage(`{"name":"delete"}`),
		Arguments:  json.RawMessage(`{"path":"/a"}`),
	}
	yes := domain.NewConfirmation(question)
	other := question.Tool
	other.Server = "mail"

	DescribeTable("covers the call that was asked about, and no other",
		func(yes *domain.Confirmation, tool domain.ToolIdentifier, definition, arguments string, covers bool) {
			Expect(yes.Covers(tool, json.RawMessage(definition), json.RawMessage(arguments))).To(Equal(covers))
		},
		Entry("itself", yes, question.Tool, string(question.Definition), `{"path":"/a"}`, true),
		Entry("of another tool", yes, other, string(question.Definition), `{"path":"/a"}`, false),
		Entry("of another definition", yes, question.Tool, `{"name": "delete"}`, `{"path":"/a"}`, false),
		Entry("with other arguments", yes, question.Tool, string(question.Definition), `{"path":"/b"}`, false),
		Entry("with other bytes", yes, question.Tool, string(question.Definition), `{"path": "/a"}`, false),
		Entry("without a definition", nil, question.Tool, string(question.Definition), `{"path":"/a"}`, false),
	)
})
