package commandline_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal/commandline"
)

var _ = Describe("A help topic", func() {
	topic := commandline.ParseTopic("# Fruit\n\nSweet.\n\n## Red `apples`\n\nRound.\n\n```sh\n## no heading\n```\n\n### Small ones\n\nTiny.\n\n#### Cox\n\nOld.\n\n## Pears\n\nGreen.\n\n## Small plums\n\nBlue.\n")

	It("begins with its title and a table of its sections", func() {
		Expect(topic.Text("wb help fruit")).To(HavePrefix("# Fruit\n\nSections, for 'wb help fruit SECTION':\n\n" +
			"- Red apples\n  - Small ones\n    - Cox\n- Pears\n- Small plums\n\nSweet.\n\n## Red `apples`\n"))
	})

	It("has no table if it is short", func() {
		text := "# Short\n\nIntroduction.\n\n## One\n\nText.\n"
		Expect(commandline.ParseTopic(text).Text("wb help short")).To(Equal(text))
	})

	DescribeTable("has a section", func(name, text string) {
		Expect(topic.Section(name)).To(Equal(text))
	},
		Entry("by its name", "Pears", "## Pears\n\nGreen.\n\n"),
		Entry("by its name in lower case with hyphens", "small-plums", "## Small plums\n\nBlue.\n"),
		Entry("by a part of its name, with the sections below it", "apple",
			"## Red `apples`\n\nRound.\n\n```sh\n## no heading\n```\n\n### Small ones\n\nTiny.\n\n#### Cox\n\nOld.\n\n"),
		Entry("below another", "small ones", "### Small ones\n\nTiny.\n\n#### Cox\n\nOld.\n\n"),
		Entry("by words of its name in another order", "plums small", "## Small plums\n\nBlue.\n"),
		Entry("two levels below another", "cox", "#### Cox\n\nOld.\n\n"),
	)

	DescribeTable("has no section", func(name, message string) {
		_, err := topic.Section(name)
		Expect(err).To(MatchError(message))
	},
		Entry("that does not exist", "figs", "no section \"figs\"; sections:\n  Red apples\n  Small ones\n  Cox\n  Pears\n  Small plums"),
		Entry("that only texts mention", "green", "no section \"green\", but these sections mention it:\n  Pears\nall sections:\n  Red apples\n  Small ones\n  Cox\n  Pears\n  Small plums"),
		Entry("if several match", "small", "several sections that match \"small\":\n  Small ones\n  Small plums"),
		Entry("in a code block", "no heading", "no section \"no heading\", but these sections mention it:\n  Red apples\nall sections:\n  Red apples\n  Small ones\n  Cox\n  Pears\n  Small plums"),
	)
})

var _ = It("An item of a list has the text indented below it", func() {
	topic := commandline.ParseTopic("# Title\n\n## Keys of `http`\n\n- `port` (number):\n  The port\n  to listen at.\n- `host`:\n  The host.\n")

	Expect(topic.Item("Keys of http", "port")).To(Equal("The port to listen at."))
	Expect(topic.Item("Keys of http", "other")).To(BeEmpty())
	Expect(topic.Item("Other keys", "port")).To(BeEmpty())
})

var _ = Describe("Wrapping a help text", func() {
	DescribeTable("puts", func(text, wrapped string) {
		Expect(commandline.WrapText(text, 20)).To(Equal(wrapped))
	},
		Entry("a paragraph on full lines", "one two\nthree four five six\n\nseven\n", "one two three four\nfive six\n\nseven\n"),
		Entry("list items behind their mark", "- one two three\n  four five\n- six\n", "- one two three four\n  five\n- six\n"),
		Entry("a list within an example on its own lines", "  jobs:\n    - name: a\n      port: 1\n    - name: b\n",
			"  jobs:\n    - name: a\n      port: 1\n    - name: b\n"),
		Entry("numbered items behind their number", "1. one two three four five\n", "1. one two three\n   four five\n"),
		Entry("an item in an item behind its mark", "- one\n  - two three four five\n", "- one\n  - two three four\n    five\n"),
		Entry("a long word on a line of its own", "one https://example.com/one/two three\n", "one\nhttps://example.com/one/two\nthree\n"),
		Entry("code blocks, tables and headings as they are", "```sh\none two three four five\n```\n| one two | three four five |\n## one two three four five\nsix\n",
			"```sh\none two three four five\n```\n| one two | three four five |\n## one two three four five\nsix\n"),
		Entry("examples on lines of their own", "text:\n  wb one\n  wb two three four five\n", "text:\n  wb one\n  wb two three four\n    five\n"),
		Entry("descriptions of commands in their column", "  add   one two three four\n", "  add   one two\n        three four\n"),
	)
})
