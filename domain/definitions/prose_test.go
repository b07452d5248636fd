package definitions_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/definitions"
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
		Entry("before a list", "Reads one of:\n- files", " — Reads one of:"),
		Entry("not at a line break", "Reads a\n   file. More.", " — Reads a file."),
		Entry("at a full stop of Chinese", "读取文件。更多", " — 读取文件。"),
		Entry("at once, without one", "", ""),
		Entry("in an ellipsis when it is very long", strings.Repeat("word ", 60), " — "+strings.TrimSpace(strings.Repeat("word ", 39))+"…"),
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

		It("needs no mark when it is only about a format", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"A JSON object."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* A JSON object. */)"))
			Expect(definitions.Signature(tool, false)).To(Equal("t(a: string)"))
		})
	})
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
