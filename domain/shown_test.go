package domain_test

import (
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
