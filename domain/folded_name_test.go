package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A pattern of tools that need a yes", Label("TP02"), func() {
	server := domain.ServerID{Toolbox: "dev", Server: "Files"}
	needsYes := func(pattern, name string) bool {
		settings := domain.Server{ID: server, Approvals: domain.Approvals{Confirm: domain.ToolPatterns{{Text: pattern}}}}
		return settings.NeedsYes(domain.ToolInfo{Name: name, Shown: domain.ShownText(name)})
	}

	DescribeTable("names tools whose names read like it", func(pattern, name string) {
		Expect(needsYes(pattern, name)).To(BeTrue())
	},
		Entry("as it is", "delete_*", "delete_all"),
		Entry("in another case", "delete_*", "Delete_All"),
		Entry("when the pattern has another case", "DELETE_*", "delete_all"),
		Entry("with a character that is not seen", "delete_*", "del\u200bete_all"),
		Entry("with tags and variation selectors", "delete_*", "d\U000e0065elete\ufe0f_all"),
		Entry("with a control character", "delete_*", "delete\x7f_all"),
		Entry("in wide letters", "delete_*", "\uff44\uff45lete_all"),
		Entry("in letters of mathematics", "delete_*", "\U0001d41d\U0001d41elete_all"),
		Entry("with a long s", "swipe", "\u017fwipe"),
		Entry("with the sign of Kelvin", "kill", "\u212aill"),
		Entry("with a small letter that has no dot", "wipe", "w\u0131pe"),
		Entry("with a mark that a character which is not seen keeps apart", "caf\u00e9", "cafe\u200d\u0301"),
		Entry("with a filler that another form makes unseen", "wipe", "wi\uffa0pe"),
		Entry("with spaces around it", "delete_*", " delete_all "),
		Entry("with spaces of other kinds around it", "delete_*", "\u00a0\u3000delete_all\u2009"),
		Entry("with a note without a head", "delete_*", "del\U0001d159ete_all"),
		Entry("with a filler of Khitan", "delete_*", "del\U00016fe4ete_all"),
		Entry("with a joiner of Brahmi numbers", "delete_*", "del\U0001107fete_all"),
		Entry("with another space", "wipe all", "wipe\u00a0all"),
		Entry("behind the name of the server", "Files/wipe", "WIPE"),
		Entry("behind toolbox and server", "dev/Files/wipe", "Wipe"),
	)

	DescribeTable("does not name other tools", func(pattern, name string) {
		Expect(needsYes(pattern, name)).To(BeFalse())
	},
		Entry("another one", "delete_*", "undelete_all"),
		Entry("of another server", "files/wipe", "wipe"),
		Entry("whose letters of another script only look alike", "delete_*", "d\u0435lete_all"),
	)

	It("is compared as it is where it names tools that only read", func() {
		settings := domain.Server{ID: server, Approvals: domain.Approvals{ReadOnly: domain.ToolPatterns{{Text: "read"}}}}
		for _, name := range []string{"Read", "re\u200bad", "\uff52ead"} {
			Expect(settings.OnlyReads(domain.ToolInfo{Name: name, Shown: domain.ShownText(name)})).To(BeFalse(), name)
		}
		Expect(settings.OnlyReads(domain.ToolInfo{Name: "read"})).To(BeTrue())
	})
})

var _ = Describe("A filter that leaves tools out", Label("TP02"), func() {
	It("leaves out those whose names read like one of them, too", func() {
		filter := domain.OnlyTools([]string{"*", "!delete_all"})
		for _, name := range []string{"delete_all", "Delete_All", "delete\u200b_all", "\uff44elete_all"} {
			Expect(filter.Allows(name)).To(BeFalse(), "%+q", name)
		}
		Expect(filter.Allows("delete_one")).To(BeTrue())
	})

	It("takes the names of those that exist as they are", func() {
		filter := domain.OnlyTools([]string{"read"})
		Expect(filter.Allows("read")).To(BeTrue())
		Expect(filter.Allows("Read")).To(BeFalse())
	})
})
