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
