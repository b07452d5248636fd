package rawjson_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

var _ = Describe("Walking a long string", func() {
	scanner := rawjson.NewScanner()
	scan := func(text string) error {
		return scanner.EachElement([]byte("["+text+"]"), func([]byte) error { return nil })
	}

	DescribeTable("takes what encoding/json takes, wherever it stands",
		func(sign string) {
			for offset := range 260 {
				for _, behind := range []int{0, 1, 7, 40, 200} {
					text := `"` + strings.Repeat("a", offset) + sign + strings.Repeat("b", behind) + `"`

					taken := scan(text) == nil

					Expect(taken).To(Equal(json.Valid([]byte(text))), text)
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
})
