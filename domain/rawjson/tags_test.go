package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

var _ = Describe("JSON without tags", Label("TB02"), func() {
	DescribeTable("has none",
		func(text, without string) {
			Expect(string(rawjson.WithoutTags([]byte(text)))).To(Equal(without))
		},
		Entry("as characters", "{\"a\U000e0041\":\"\U000e0000b\U000e007f\U000e0100\U000e01ef\"}", `{"a":"b"}`),
		Entry("as escapes of any case", `"\udb40\udc41b\uDB40\uDDEFc\uDb40\udD00"`, `"bc"`),
		Entry("that others are between", `"\udb40\udb40\udc41\udc42x\udb40`+"\U000e0041"+`\udc43"`, `"x"`),
		Entry("but what is beside them", "\"\U000e0080\U000e00ff\U000e01f0\" "+`"\udb40\udc80\udb40\uddf0\udb41\udc41"`,
			"\"\U000e0080\U000e00ff\U000e01f0\" "+`"\udb40\udc80\udb40\uddf0\udb41\udc41"`),
		Entry("but text that looks like them", `"\\udb40\udc41 \\\udb40\udc41"`, `"\\udb40\udc41 \\"`),
		Entry("but halves of pairs", `"\udb40 \udc41\udb40"`, `"\udb40 \udc41\udb40"`),
	)

	It("is the same slice when there are none", func() {
		text := []byte(`{"a":"b \u200b \n é 👩‍👧"}`)

		Expect(&rawjson.WithoutTags(text)[0]).To(BeIdenticalTo(&text[0]))
	})

	It("takes no longer for halves of pairs within each other", func() {
		const depth = 200_000
		text := `"` + strings.Repeat(`\udb40`, depth) + strings.Repeat(`\udc41`, depth) + `"`

		Expect(string(rawjson.WithoutTags([]byte(text)))).To(Equal(`""`))
	})

	It("has each of its strings found", func() {
		var found []string
		rawjson.EachString([]byte(`{"a":["b\"",{"c\\":1}],"":"d\u0022e"}`), func(quoted []byte) { found = append(found, string(quoted)) })

		Expect(found).To(Equal([]string{`"a"`, `"b\""`, `"c\\"`, `""`, `"d\u0022e"`}))
	})
})

// FuzzWithoutTags: what is JSON stays JSON, nothing is left that is taken out, and the rest stays.
func FuzzWithoutTags(f *testing.F) {
	f.Add("{\"a\":\"\U000e0041\"}")
	f.Add(`["\udb40\udb40\udc41\udc42","\\udb40\udc41"]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || !utf8.ValidString(text) {
			return
		}
		shown := rawjson.WithoutTags([]byte(text))
		if !json.Valid(shown) {
			t.Fatalf("%q becomes %q, which is no JSON", text, shown)
		}
		if again := rawjson.WithoutTags(shown); string(again) != string(shown) {
			t.Fatalf("%q becomes %q, then %q", text, shown, again)
		}
		rawjson.EachString(shown, func(quoted []byte) {
			if strings.ContainsFunc(rawjson.Text(quoted), func(r rune) bool { return r >= 0xE0000 && r <= 0xE007F || r >= 0xE0100 && r <= 0xE01EF }) {
				t.Fatalf("%q keeps some in %q", text, quoted)
			}
		})
	})
}
