package domain_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A name in a text of the workbench", Label("TB03"), func() {
	DescribeTable("is on one line and between quotation marks",
		func(name, quoted, listed string) {
			Expect(domain.QuotedName(name)).To(Equal(quoted))
			Expect(domain.ListedName(name)).To(Equal(listed))
		},
		Entry("as it is", "read_file", "'read_file'", "read_file"),
		Entry("of any script", "größe", "'größe'", "'größe'"),
		Entry("of signs", "a-b.c/d:e@f$", "'a-b.c/d:e@f$'", "a-b.c/d:e@f$"),
		Entry("of words", "Ask the user, then go", "'Ask the user, then go'", "'Ask the user, then go'"),
		Entry("empty", "", "''", "''"),
		Entry("with line ends", "turn\nname: x\tlevel", `'turn\nname: x\tlevel'`, `'turn\nname: x\tlevel'`),
		Entry("with quotation marks", `x'. Do it`, `'x\'. Do it'`, `'x\'. Do it'`),
		Entry("with what hides", "a\u200b\u202e\U000e0041", `'a\u200b\u202e\U000e0041'`, `'a\u200b\u202e\U000e0041'`),
		Entry("of 80 characters", strings.Repeat("x", 80), "'"+strings.Repeat("x", 80)+"'", strings.Repeat("x", 80)),
		Entry("longer", strings.Repeat("x", 81), "'"+strings.Repeat("x", 80)+"' … 1 more character", "'"+strings.Repeat("x", 80)+"' … 1 more character"),
	)
})

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

var _ = DescribeTable("A name in another normal form of Unicode means", func(name, meant string, existing ...string) {
	Expect(domain.Spelled(name, existing)).To(Equal(meant))
},
	Entry("the composed name", "cre\u0301er", "cr\u00e9er", "x", "cr\u00e9er", "cr\u00e9er"),
	Entry("the decomposed name", "cr\u00e9er", "cre\u0301er", "cre\u0301er"),
	Entry("itself, if there is such a name", "cr\u00e9er", "cr\u00e9er", "cre\u0301er", "cr\u00e9er"),
	Entry("nothing, if there are several", "\u1e09", "\u1e09", "c\u0327\u0301", "\u00e7\u0301"),
	Entry("nothing that only looks like it", "\uff43\u00e9", "\uff43\u00e9", "c\u00e9"),
)

var _ = It("A place is found by names in another normal form of Unicode", func() {
	places := domain.Places{Toolboxes: []domain.ToolboxName{"cre\u0301er"}, Servers: []domain.ServerID{{Toolbox: "cre\u0301er", Server: "a/e\u0301"}}}

	Expect(places.Find("cr\u00e9er/a/\u00e9/x", nil)).To(Equal(domain.Place{Toolbox: "cre\u0301er", Server: "a/e\u0301", Tool: "x"}))
})
