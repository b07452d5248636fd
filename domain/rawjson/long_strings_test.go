package rawjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

// longEnough is where chunks begin.
const longEnough = 64

var _ = Describe("Walking a long string", func() {
	scanner := rawjson.NewScanner()
	scan := func(text string) error {
		return scanner.EachElement([]byte("["+text+"]"), func([]byte) error { return nil })
	}

	DescribeTable("takes what encoding/json takes, wherever it stands",
		func(sign string) {
			take := func(before, behind string) {
				text := `"` + before + sign + behind + `"`

				if taken := scan(text) == nil; taken != json.Valid([]byte(text)) {
					Fail(fmt.Sprintf("took %t: %q", taken, text))
				}
			}
			for offset := range 260 {
				for _, behind := range []int{0, 1, 7, 40, 200, 5_000} {
					take(strings.Repeat("a", offset), strings.Repeat("b", behind))
				}
			}
			for _, edge := range []int{1 << 10, 4 << 10, 5 << 10, 16 << 10} { // where chunks can end
				for offset := edge + longEnough - 12; offset < edge+longEnough+12; offset++ {
					letters := strings.Repeat("a", offset)
					take(letters, "")
					take(letters, strings.Repeat("b", 50))
					take(letters[:offset/2]+`\n`+letters[offset/2+2:], "b")
					take(strings.Repeat(`\n`, 40)+letters[80:], `\"`)
				}
			}
		},
		Entry("an escaped quote", `\"`), Entry("an escaped backslash", `\\`), Entry("two of them", `\\\\`),
		Entry("an escaped line end", `\n`), Entry("a code point", `\u00e9`), Entry("no code point", `\u00g9`),
		Entry("no escape", `\x`), Entry("a backslash alone", `\`), Entry("a quote", `"`), Entry("a control", "\x1f"),
		Entry("a tab", "\t"), Entry("a letter beyond ASCII", "é"), Entry("a byte that is not UTF-8", "\xff"),
		Entry("signs beside those that matter", "!#[]\x7f "), Entry("escapes in a row", `\"\"\n\n\\\"\t\"`),
		Entry("a control behind an escape", "\\n\x02"),
	)

	DescribeTable("says which byte is wrong",
		func(sign string, at int) {
			for offset := range 200 {
				text := `"` + strings.Repeat("a", offset) + sign + strings.Repeat("b", 100) + `"`

				Expect(scan(text)).To(MatchError(HaveSuffix(fmt.Sprintf("at byte %d", len(`["`)+offset+at))))
			}
		},
		Entry("a control", "\x01", 1), Entry("no escape", `\x`, 2), Entry("no code point", `\u12x4`, 5),
	)

	DescribeTable("notices whether it is UTF-8, wherever its letters are",
		func(letters string) {
			for _, edge := range []int{0, 1 << 8, 4 << 10, 8 << 10} { // where chunks can end
				for offset := max(0, edge+longEnough-8); offset < edge+longEnough+8; offset++ {
					for _, behind := range []string{"", "b", `\n`, strings.Repeat("b", 50), strings.Repeat("b", 2_000) + `\n`, strings.Repeat("b", 5_000), strings.Repeat(`\n`, 20_000)} {
						text := `["` + strings.Repeat("a", offset) + letters + behind + `","x"]`

						Expect(scanner.EachElement([]byte(text), func([]byte) error { return nil })).To(Succeed())
						if scanner.Clean() != utf8.ValidString(text) {
							Fail(fmt.Sprintf("clean: %t, %q", scanner.Clean(), text))
						}
					}
				}
			}
		},
		Entry("none", ""), Entry("two bytes", "é"), Entry("three", "語"), Entry("four", "🧰"), Entry("many", strings.Repeat("é語🧰", 2_000)),
		Entry("one cut", "\xc3"), Entry("three cut", "\xe8\xaa"), Entry("four cut", "\xf0\x9f\xa7"), Entry("wrong", "\xff"),
		Entry("many and a wrong one", strings.Repeat("語", 2_000)+"\xff"), Entry("cut by an escape", "\xe8\\n\xaa\x9e"), Entry("half of a pair", "\xed\xa0\x80"),
	)

	It("notices short strings that are not UTF-8 beside long ones", func() {
		long := strings.Repeat("語", 5_000)
		for _, text := range []string{"[\"\xff\",\"" + long + "\"]", "[\"" + long + "\",\"\xff\"]", "[\"" + long + "\xff\",\"é\"]"} {
			Expect(scanner.EachElement([]byte(text), func([]byte) error { return nil })).To(Succeed())
			Expect(scanner.Clean()).To(BeFalse())
		}
	})
})
