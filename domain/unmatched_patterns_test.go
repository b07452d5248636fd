package domain_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

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
