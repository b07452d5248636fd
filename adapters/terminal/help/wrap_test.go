package help_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal/help"
)

var _ = Describe("Wrapping a help text", func() {
	DescribeTable("puts", func(text, wrapped string) {
		Expect(help.Wrap(text, 20)).To(Equal(wrapped))
	},
		Entry("a paragraph on full lines", "one two\nthree four five six\n\nseven\n", "one two three four\nfive six\n\nseven\n"),
		Entry("list items behind their mark", "- one two three\n  four five\n- six\n", "- one two three four\n  five\n- six\n"),
		Entry("numbered items behind their number", "1. one two three four five\n", "1. one two three\n   four five\n"),
		Entry("an item in an item behind its mark", "- one\n  - two three four five\n", "- one\n  - two three four\n    five\n"),
		Entry("a long word on a line of its own", "one https://example.com/one/two three\n", "one\nhttps://example.com/one/two\nthree\n"),
		Entry("code blocks, tables and headings as they are", "```sh\none two three four five\n```\n| one two | three four five |\n## one two three four five\nsix\n",
			"```sh\none two three four five\n```\n| one two | three four five |\n## one two three four five\nsix\n"),
		Entry("examples on lines of their own", "text:\n  wb one\n  wb two three four five\n", "text:\n  wb one\n  wb two three four\n    five\n"),
		Entry("descriptions of commands in their column", "  add   one two three four\n", "  add   one two\n        three four\n"),
	)
})
