package domain_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Text of others at a terminal", func() {
	DescribeTable("is escaped where it would control, reorder or hide",
		func(text, shown string) {
			Expect(domain.TerminalText(text)).To(Equal(shown))
			Expect(domain.TerminalText(shown)).To(Equal(shown))
		},
		Entry("a control sequence", "a\x1b[31mb", `a\u001b[31mb`),
		Entry("controls of C1", "a\u009b2Jb\u0085", `a\u009b2Jb\u0085`),
		Entry("a byte that is not UTF-8", "a\x9b2J\xe2", `a\x9b2J\xe2`),
		Entry("delete, bell and backspace", "a\x7f\a\b", `a\u007f\u0007\u0008`),
		Entry("a carriage return", "good\rbad", `good\u000dbad`),
		Entry("bidirectional controls", "a\u202eb\u2066c\u200fd", `a\u202eb\u2066c\u200fd`),
		Entry("invisible characters", "a\u200bb\u00adc\u2060\ufeff", `a\u200bb\u00adc\u2060\ufeff`),
		Entry("line ends of other kinds", "a\u2028b", `a\u2028b`),
		Entry("tags, and selectors that carry bytes", "a\U000e0041b\U000e0101", `a\U000e0041b\U000e0101`),
		Entry("selectors and joiners in names", "ad\u200dmin\ufe0f", `ad\u200dmin\ufe0f`),
		Entry("a second selector", "❤\ufe0f\ufe0f", "❤\ufe0f"+`\ufe0f`),
		Entry("a joiner beside one picture", "👩\u200d", `👩\u200d`),
		Entry("private use", "a\ue000", `a\ue000`),
	)

	DescribeTable("stays as it is where it is honest",
		func(text string) { Expect(domain.TerminalText(text)).To(Equal(text)) },
		Entry("lines and tabs", "a\tb\nc\r\nd"),
		Entry("letters of any script", "größe 漢字 שלום مرحبا हिन्दी ภาษาไทย"),
		Entry("marks that combine", "e\u0301 Vie\u0302\u0323t शब्दों"),
		Entry("pictures that are joined", "👩‍👩‍👧 ❤️‍🔥 👍🏽 1️⃣ ☎️ 🏳️‍🌈"),
		Entry("joiners of scripts that need them", "می\u200cخواهم क्\u200dष"),
		Entry("spaces of French and Chinese", "oui\u00a0!\u202f漢\u3000字"),
	)

	It("has no more marks on a letter than writing has", func() {
		text := "a" + strings.Repeat("\u0301", 10)
		Expect(domain.TerminalText(text)).To(Equal("a" + strings.Repeat("\u0301", 8) + `\u0301\u0301`))
		Expect(domain.TerminalText("\u0338x\n\u0338")).To(Equal(`\u0338x` + "\n" + `\u0338`))
	})

	It("hides nothing of bytes that are reviewed", func() {
		Expect(domain.ReviewText("a\u00a0👩\u200d👧\ufe0f\tb")).To(Equal(`a\u00a0👩\u200d👧\ufe0f` + "\tb"))
	})

	It("is brief as part of a sentence", func() {
		Expect(domain.Brief(" a\n  b\r\t\u2028c ")).To(Equal("a b \u2028c"))
		Expect([]rune(domain.Brief(strings.Repeat("é", 5000)))).To(HaveLen(2001))
	})

	It("stays on one line in the midst of one", func() {
		Expect(domain.LineText("a\nb\tc\rd\r\n")).To(Equal(`a\nb\tc\u000dd\r\n`))
	})
})

var _ = Describe("Unchecked text at a terminal", func() {
	It("has nothing left that is not seen, whatever it is", func() {
		for r := rune(0); r <= 0x10FFFF; r++ {
			if r == '\n' || r == '\t' || !domain.Unseen(r) || !utf8.ValidRune(r) {
				continue
			}
			if strings.ContainsRune(domain.ReviewText("a"+string(r)+"b"), r) {
				Fail(fmt.Sprintf("%U stays", r))
			}
		}
	})
})
