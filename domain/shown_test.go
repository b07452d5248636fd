package domain_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Showing text of servers", func() {
	DescribeTable("shows",
		func(text, shown string) {
			Expect(domain.ShownText(text)).To(Equal(shown))
		},
		Entry("plain text as it is", "Reads a file.", "Reads a file."),
		Entry("nothing as nothing", "", ""),
		Entry("tabs and newlines", "a\tb\nc", "a\tb\nc"),
		Entry("letters, signs and pictures of any script", "größe 漢字 👩‍👩‍👧 é", "größe 漢字 👩‍👩‍👧 é"),
		Entry("no zero byte", "a\x00b", "ab"),
		Entry("no carriage return", "a\rb\r\nc", "ab\nc"),
		Entry("no bell, backspace or other control", "a\a\b\v\f\x1fb", "ab"),
		Entry("no colour", "\x1b[31mred\x1b[0m", "red"),
		Entry("no long control sequence", "a\x1b[38;5;196;1mb", "ab"),
		Entry("no control sequence with intermediate signs", "a\x1b[?25 qb", "ab"),
		Entry("no link that ends with a bell", "a\x1b]8;;http://x\aname\x1b]8;;\ab", "anameb"),
		Entry("no title that ends with its terminator", "a\x1b]0;title\x1b\\b", "ab"),
		Entry("no device string", "a\x1bPq1\x1b\\b", "ab"),
		Entry("no short escape", "a\x1b7b\x1bcc", "abc"),
		Entry("the text after an incomplete escape", "a\x1bäb", "aäb"),
		Entry("what follows an escape that never ends, without its introducer", "a\x1b[31", "a31"),
		Entry("what follows a string that never ends, without its introducer", "a\x1b]0;title", "a0;title"),
		Entry("what follows a sequence broken off by a control", "a\x1b[3\x01m", "a3m"),
		Entry("what follows an escape before an escape", "a\x1b\x1b[1mb", "ab"),
		Entry("no escape at the end", "a\x1b", "a"),
		Entry("no tag characters", "a\U000E0041\U000E007Fb", "ab"),
		Entry("no selectors that carry bytes", "a\U000E0100\U000E01EFb", "ab"),
		Entry("characters beside the tags", "\U000E0080\U000DFFFF\U000E01F0", "\U000E0080\U000DFFFF\U000E01F0"),
	)

	It("names characters that hide or reorder, each once and in order", func() {
		Expect(domain.SuspiciousCharacters("a\u202eb\u200bc\u202ed\ufeff")).To(Equal([]string{"U+202E", "U+200B", "U+FEFF"}))
	})

	It("names no more than ten", func() {
		Expect(domain.SuspiciousCharacters("\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e")).To(
			And(HaveLen(11), HaveExactElements("U+200B", "U+200C", "U+200D", "U+200E", "U+200F", "U+2028", "U+2029", "U+202A", "U+202B", "U+202C", "…")))
	})

	DescribeTable("finds suspicious names",
		func(name string, suspicious []string, seen string) {
			Expect(domain.SuspiciousName(name)).To(Equal(suspicious))
			Expect(domain.SeenName(name)).To(Equal(seen))
		},
		Entry("with line ends and tabs", "a\n\tb", []string{"U+000A", "U+0009"}, "a b"),
		Entry("with spaces of other kinds", "a\u00a0b", []string{"U+00A0"}, "a b"),
		Entry("with what hides", "a\u200bb\u202e", []string{"U+200B", "U+202E"}, "ab"),
		Entry("not with spaces, letters and pictures", "my größe ❤️", nil, "my größe ❤"),
	)

	DescribeTable("finds suspicious",
		func(text string, suspicious bool) {
			Expect(domain.SuspiciousCharacters(text)).To(HaveLen(map[bool]int{true: 1}[suspicious]))
		},
		Entry("a zero-width space", "\u200b", true),
		Entry("a mark that turns direction", "\u200f", true),
		Entry("an override of direction", "\u202a", true),
		Entry("an isolate", "\u2066", true),
		Entry("a word joiner", "\u2060", true),
		Entry("an Arabic letter mark", "\u061c", true),
		Entry("a Mongolian vowel separator", "\u180e", true),
		Entry("a byte order mark", "\ufeff", true),
		Entry("a soft hyphen", "\u00ad", true),
		Entry("a filler", "\u3164", true),
		Entry("a blank pattern", "\u2800", true),
		Entry("a selector behind a letter", "a\ufe00", true),
		Entry("a joiner between letters", "a\u200db", true),
		Entry("another line end", "\u2028", true),
		Entry("a return without a line end", "a\rb", true),
		Entry("a control of C1", "\u009b", true),
		Entry("a tag", "\U000e0041", true),
		Entry("private use", "\ue000", true),
		Entry("no thin space", "\u2009", false),
		Entry("no line ends and tabs", "a\tb\nc\r\nd", false),
		Entry("no spaces of other kinds", "a\u00a0b\u3000c", false),
		Entry("no pictures", "👩‍👩‍👧 ❤️ 1️⃣ \U0001fae9", false),
		Entry("no letters that need joiners", "می\u200cخواهم क्\u200dष", false),
		Entry("no hyphen", "\u2010", false),
		Entry("no plain text", "text", false),
	)
})

var _ = Describe("Characters that are not seen", func() {
	DescribeTable("are",
		func(characters string) {
			for _, r := range characters {
				Expect(domain.Unseen(r)).To(BeTrue(), "%U", r)
			}
		},
		Entry("controls of both kinds", "\x00\a\x1b\x7f\u0080\u0085\u009b"),
		Entry("line ends and spaces that are not plain", "\n\r\t\u00a0\u2028\u2029\u3000"),
		Entry("what reorders text", "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"),
		Entry("what joins or separates", "\u200b\u200c\u200d\u2060\u2063\ufeff\u034f\u180e"),
		Entry("soft hyphens and deprecated controls", "\u00ad\u206a\u206f\ufff9"),
		Entry("fillers and blank patterns", "\u115f\u1160\u17b4\u3164\uffa0\u2800"),
		Entry("variation selectors", "\u180b\ufe00\ufe0f\U000e0100\U000e01ef"),
		Entry("tags", "\U000e0001\U000e0041\U000e007f"),
		Entry("beams of music, private use and what is not assigned", "\U0001d173\ue000\U000f0000\u0378"),
	)

	It("are no letters, marks, signs or pictures of any script, and no plain space", func() {
		for _, r := range " aé漢ß\u0301न्אब👩€½" {
			Expect(domain.Unseen(r)).To(BeFalse(), "%U", r)
		}
	})
})

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
		Expect(domain.CutBytes("aéb", 4)).To(Equal("aéb"))
		Expect(domain.CutBytes("aéb", 2)).To(Equal("a…"))
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
