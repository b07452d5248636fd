package world_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// word matches a run of letters and digits, with the blanks before it if it is a number in a column. Clocks, process ids
// and random names are made of words.
var word = regexp.MustCompile(` {2,}\pN+|[\pL\pN]+`)

// sameButFor reports whether an answer of a server below a workbench is the same as both answers of the server alone,
// but for what differs between these two. If they differ, words with a digit are left out, and words without one where
// these two differ; each other word, and everything between words, has to be the same.
func sameButFor(first, second, through string) bool {
	if first == second {
		return through == first
	}
	a, b, c := word.FindAllString(first, -1), word.FindAllString(second, -1), word.FindAllString(through, -1)
	between := func(text string) []string { return word.Split(text, -1) }
	if len(a) != len(b) || len(a) != len(c) || !slices.Equal(between(first), between(second)) || !slices.Equal(between(first), between(through)) {
		return false
	}
	for i := range a {
		if a[i] == b[i] && a[i] != c[i] && !strings.ContainsFunc(a[i], unicode.IsDigit) {
			return false
		}
	}
	return true
}

var _ = DescribeTable("Answers of a server below a workbench count as the same",
	func(first, second, through string, same bool) {
		Expect(sameButFor(first, second, through)).To(Equal(same))
	},
	Entry("if they are", `{"a":1}`, `{"a":1}`, `{"a":1}`, true),
	Entry("but not if anything differs from an answer that does not change", `{"a":1}`, `{"a":1}`, `{"a":2}`, false),
	Entry("if only a clock differs", "at 12:00:01, pid 7", "at 12:00:05, pid 8", "at 12:01:09, pid 9", true),
	Entry("if a process id has more digits and less room before it", "E 12   9999 x", "E 13   9999 x", "E 14  10000 x", true),
	Entry("but not if a word beside a clock differs", "at 12:00:01 ok", "at 12:00:05 ok", "at 12:00:09 failed", false),
	Entry("but not if white space beside a clock differs", "12:00:01 ok", "12:00:05 ok", "12:00:09  ok", false),
	Entry("but not if a word is missing", "1 ok", "2 ok", "3", false),
)
