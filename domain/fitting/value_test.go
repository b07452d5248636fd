package fitting_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/fitting"
)

// items returns the JSON of so many objects, each with its number, and of the members that are given.
func items(count int, members string) string {
	texts := make([]string, count)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"id":%d%s}`, i+1, members)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// elementsOfNames returns elements of an array, each with members that no other has.
func elementsOfNames(count int) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, `,{"name%dofanelement":1,"other%d":"%s"}`, i, i, strings.Repeat("x", 50))
	}
	return text.String()
}

var _ = Describe("A JSON value", func() {
	DescribeTable("is cut along its structure", func(value string, limit int, cut string) {
		Expect(string(fitting.Value([]byte(value), limit))).To(Equal(cut))
	},
		Entry("not if it fits", ` {"a": 1 } `, 11, ` {"a": 1 } `),
		Entry("an array after its first elements",
			items(1204, ""), 120, `[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},{"id":6},{"id":7},{"id":8},"… 1,196 more items"]`),
		Entry("an array whose other elements have other members",
			`[{"id":1,"a":"`+strings.Repeat("a", 170)+`"},`+strings.Repeat(`{"id":2,"error":"none"},`, 20)+`{"id":3}]`, 250,
			`[{"id":1,"a":"`+strings.Repeat("a", 170)+`"},"… 21 more items, some with error"]`),
		Entry("the first element of an array that does not fit", `["`+strings.Repeat("a", 200)+`",1]`, 100,
			`["`+strings.Repeat("a", 23)+`… 177 more characters","… 1 more item"]`),
		Entry("an object in its longest members",
			`{"total":1204,"issues":`+items(100, "")+`,"next":"page2"}`, 160,
			`{"total":1204,"issues":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},"… 95 more items"],"next":"page2"}`),
		Entry("an object of too many members",
			`{`+strings.Repeat(`"a":1,`, 500)+`"z":2}`, 100,
			`{"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"…":"491 more members"}`),
		Entry("a string between its characters", `"`+strings.Repeat("é", 100)+`"`, 100, `"`+strings.Repeat("é", 32)+`… 68 more characters"`),
		Entry("a string between its escapes",
			`"`+strings.Repeat(`\ud83d\ude00`, 30)+`"`, 100, `"`+strings.Repeat(`\ud83d\ude00`, 5)+`… 25 more characters"`),
		Entry("a string with half of a surrogate pair",
			`"`+strings.Repeat(`\ud83d`, 30)+`"`, 100, `"`+strings.Repeat(`\ud83d`, 10)+`… 20 more characters"`),
		Entry("a number of more digits than there is room for", strings.Repeat("7", 3000), 100, `"… 3,000 digits"`),
	)

	It("keeps the digits of its numbers, members with one name, and the bytes of what is shown", func() {
		first := `{"big":9007199254740993,"range":1e400,"zero":-0.0,"same":1,"same":2,"html":"<b>\u003c"}`

		cut := fitting.Value([]byte("["+first+strings.Repeat(",0", 200)+"]"), 200)

		Expect(string(cut)).To(HavePrefix("[" + first + ",0,0,"))
		Expect(string(cut)).To(HaveSuffix(` more items"]`))
	})

	It("has no white space between its tokens, and so more elements, once it is cut", func() {
		pretty := "[\n" + strings.Repeat("  {\n    \"a b\": \"c \\\" d\"\n  },\n", 50) + "  1\n]"

		Expect(string(fitting.Value([]byte(pretty), 200))).To(Equal(`[` + strings.Repeat(`{"a b":"c \" d"},`, 8) + `"… 43 more items"]`))
		Expect(string(fitting.Value([]byte(pretty), 1100))).To(Equal(`[` + strings.Repeat(`{"a b":"c \" d"},`, 50) + `1]`))
	})

	It("uses its limit, however many lists share it", func() {
		var lists []string
		for i := range 45 {
			lists = append(lists, fmt.Sprintf(`"service%d":%s`, i, items(12, `,"name":"`+strings.Repeat("x", 60)+`"`)))
		}

		cut := fitting.Value([]byte("{"+strings.Join(lists, ",")+"}"), 8000)

		Expect(len(cut)).To(BeNumerically(">", 7600))
	})

	DescribeTable("stays JSON within the limit, however it is made", func(value string) {
		for _, limit := range []int{0, 100, 101, 150, 1000, 40_000} {
			cut := fitting.Value([]byte(value), limit)

			Expect(json.Valid(cut)).To(BeTrue(), string(cut))
			Expect(len(cut)).To(BeNumerically("<=", max(limit, 100)))
		}
	},
		Entry("deep in arrays", strings.Repeat("[", 9000)+strings.Repeat("]", 9000)),
		Entry("deep in objects", strings.Repeat(`{"a":`, 9000)+"1"+strings.Repeat("}", 9000)),
		Entry("wide and deep", strings.Repeat(`[1,2,{"a":`, 3000)+`"x"`+strings.Repeat("},3]", 3000)),
		Entry("of one long name", `{"`+strings.Repeat("n", 100_000)+`":1,"b":2}`),
		Entry("of many names", `[`+strings.Repeat(`{"abcdefghijklmnopqrstuvwxyz":1,"b\"\\":2},`, 5000)+`{}]`),
		Entry("whose elements that are left out have many names", `[{"a":1}`+elementsOfNames(500)+`]`),
		Entry("of such values", `{"b":[{"a":1}`+elementsOfNames(500)+`],"c":[{"a":1}`+elementsOfNames(500)+`]}`),
		Entry("of one long string", `"`+strings.Repeat(`\\\"`, 50_000)+`"`),
		Entry("of one long number", strings.Repeat("9", 100_000)),
		Entry("of a million numbers", "["+strings.Repeat("1,", 1_000_000)+"1]"),
	)
})
