package definitions_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

var _ = Describe("The first sentence of a description", func() {
	DescribeTable("ends",
		func(description, shown string) {
			Expect(definitions.Signature(toolDescribed(description+strings.Repeat(" ", 300)), true)).To(Equal("t()" + shown))
		},
		Entry("at a full stop", "Reads a file. Fast.", " — Reads a file."),
		Entry("at another sign", "Really? Yes.", " — Really?"),
		Entry("nowhere, without one", "Reads a file", " — Reads a file"),
		Entry("not within a number or name", "Reads v1.2 of a.txt now. Then more.", " — Reads v1.2 of a.txt now."),
		Entry("not behind an abbreviation", "Reads things, e.g. Files, fast. More.", " — Reads things, e.g. Files, fast."),
		Entry("not where it goes on in lower case", "Reads docs etc. and more. Then.", " — Reads docs etc. and more."),
		Entry("before an empty line", "Reads a file\n\nLong story", " — Reads a file"),
		Entry("before a list", "Reads files\n- quickly", " — Reads files"),
		Entry("behind the first of a list that it leads to", "Use this to:\n1. Read files.\n2. Write.", " — Use this to: Read files. …"),
		Entry("behind the only one of a list", "Reads one of:\n- files", " — Reads one of: files"),
		Entry("before a heading", "Notion | Retrieve a user\nError Responses:\n400: Bad", " — Notion | Retrieve a user"),
		Entry("before a marked heading", "Retrieve a user\n**Returns** \n a user", " — Retrieve a user"),
		Entry("not at a line break", "Reads a\n   file. More.", " — Reads a file."),
		Entry("at a full stop of Chinese", "读取文件。更多", " — 读取文件。"),
		Entry("at once, without one", "", ""),
		Entry("in an ellipsis when it is very long", strings.Repeat("word ", 60), " — "+strings.TrimSpace(strings.Repeat("word ", 39))+"…"),
	)

	DescribeTable("is never a heading",
		func(description, shown string) {
			Expect(definitions.Signature(toolDescribed(description+strings.Repeat(" ", 300)), true)).To(Equal("t()" + shown))
		},
		Entry("with a colon", "Purpose:\n  1. Reads a file. Fast.", " — Reads a file."),
		Entry("with a picture", "\n  🎯 Purpose\n   1.  Reads a file.\n   2. More.", " — Reads a file."),
		Entry("before another purpose", "🛡️ Guardrails:\n  1. Warning: Changes data.\n\n🎯 Purpose:\n  1. Writes a file.", " — Writes a file."),
		Entry("in Markdown", "## Write a file\n\n**Usage notes:**\nWrites.", " — ## Write a file"),
		Entry("in Markdown, before a text", "## Write a file\n\nWrites a file to disk.", " — Writes a file to disk."),
		Entry("in bold", "**Description**\n* Writes a file", " — Writes a file"),
		Entry("between angle brackets", "<overview>\nWrites a file.\n</overview>", " — Writes a file."),
		Entry("of Chinese", "用途：\n- 读取文件。", " — 读取文件。"),
		Entry("unless there is nothing else", "Purpose:\n\n", " — Purpose:"),
		Entry("but a sentence that leads to a colon", "Reads a file in this order of steps:\nOpen.", " — Reads a file in this order of steps: Open."),
	)

	It("leaves a mark when what is left out holds a rule", func() {
		Expect(definitions.Signature(toolDescribed("Reads. You MUST open it first."), true)).To(Equal("t~() — Reads."))
		Expect(definitions.Signature(toolDescribed("You must read. Nothing else."), true)).To(Equal("t() — You must read."))
		Expect(definitions.Signature(toolDescribed("Reads. Mustard, nevertheless, onlyness."), true)).To(Equal("t() — Reads."))
	})

	Describe("of a required parameter", func() {
		tool := toolWith(withProperties(`"a":{"type":"string","description":"Must be */ a date. Nothing more."},` +
			`"b":{"type":"string","description":"Must be a date."}`))

		It("is kept when it holds a rule, and the parameter is required", func() {
			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* Must be * / a date. */, b?: string)"))
		})

		It("leaves a mark where it is left out", func() {
			Expect(definitions.Signature(tool, false)).To(Equal("t~(a: string, b?: string)"))
		})

		It("is left out when it holds none", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"The name."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string)"))
		})

		It("leaves a mark when a later one holds a rule", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"The name. Never a path."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t~(a: string)"))
		})

		It("is kept when it is a rule across parameters", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"Ignored without b_c."},"b_c":{}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* Ignored without b_c. */, b_c?)"))
			Expect(definitions.Signature(tool, false)).To(Equal("t~(a: string, b_c?)"))
		})

		It("needs no mark when it is only about a format", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"A JSON object."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* A JSON object. */)"))
			Expect(definitions.Signature(tool, false)).To(Equal("t(a: string)"))
		})
	})
})

var _ = Describe("A rule across parameters", func() {
	signature := func(text, ofName, ofToken string) string {
		quoted := func(text string) string { return string(rawjson.Quote(text)) }
		return definitions.Signature(toolOf(`{"name":"t","description":`+quoted("Sets. "+text)+`,"inputSchema":{"type":"object","properties":{"name":{"description":`+
			quoted(ofName)+`},"pageToken":{"description":`+quoted(ofToken)+`}}}}`), true)
	}

	DescribeTable("leaves a mark",
		func(text, ofName, ofToken string) {
			Expect(signature(text, ofName, ofToken)).To(Equal("t~(name?, pageToken?) — Sets."))
		},
		Entry("in a later sentence", "Requires name or pageToken.", "", ""),
		Entry("about a choice", "At least one of `name` or `pageToken` is wanted.", "", ""),
		Entry("about two that exclude each other", "Provide either name or the token, but not both.", "", ""),
		Entry("about a tool that is deprecated", "Deprecated, use other_tool.", "", ""),
		Entry("in a list", "Rules:\n- `name` is required for set", "", ""),
		Entry("of an optional parameter", "", "Name of the context (required for set)", ""),
		Entry("about when it counts", "", "Ignored for lists.", ""),
		Entry("about a condition", "", "", "Only applies if name is set."),
		Entry("about another one", "", "Use pageToken instead.", ""),
		Entry("about both", "", "", "Cannot be combined with names."),
	)

	DescribeTable("is not",
		func(text, ofName, ofToken string) {
			Expect(signature(text, ofName, ofToken)).To(Equal("t(name?, pageToken?) — Sets."))
		},
		Entry("a requirement of the server", "Requires authentication.", "", ""),
		Entry("a choice of values", "", "Either the GUID or the display name.", ""),
		Entry("a comparison", "Instead of a page, pageToken returns the next.", "Saved instead of shown.", ""),
		Entry("that nothing is required", "", "Not required.", ""),
		Entry("a word of prose", "Ensures that the required names exist.", "", ""),
	)
})

var _ = Describe("The hint", func() {
	It("says what the signs mean, and how to see more", func() {
		Expect(definitions.Compact.Hint()).To(And(ContainSubstring("? "), ContainSubstring("= "), ContainSubstring("~ "), ContainSubstring(`"tools"`)))
		Expect(definitions.Names.Hint()).To(ContainSubstring(`"tools"`))
	})

	It("is not there where definitions are whole", func() {
		Expect(definitions.Full.Hint() + definitions.Lean.Hint()).To(BeEmpty())
	})
})

var _ = Describe("The cost of definitions", func() {
	DescribeTable("is told in tokens and in a part of a context",
		func(bytes, tokens int, percent float64) {
			Expect(definitions.EstimateTokens(bytes)).To(Equal(tokens))
			Expect(definitions.WindowPart(bytes)).To(BeNumerically("~", percent, 0.001))
		},
		Entry("of nothing", 0, 0, 0.0),
		Entry("of a little", 9, 2, 0.001),
		Entry("of a toolbox", 90_000, 20_000, 10.0),
		Entry("rounded", 11, 2, 0.001),
	)
})
