package excerpts_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/excerpts"
	"mcp-workbench/domain/rawjson"
)

// texts returns a result with these texts.
func texts(texts ...string) string {
	blocks := make([]string, len(texts))
	for i, text := range texts {
		blocks[i] = string(rawjson.Object{}.Text("type", "text").Text("text", text).JSON())
	}
	return `{"content":[` + strings.Join(blocks, ",") + `]}`
}

// fittedResult returns a result that was cut.
func fittedResult(result string, limit int) string {
	GinkgoHelper()
	cut, isCut := excerpts.Fit(json.RawMessage(result), limit)
	Expect(isCut).To(BeTrue())
	Expect(json.Valid(cut.Result)).To(BeTrue(), string(cut.Result))
	Expect(cut.Whole).To(Equal(excerpts.TextSize(json.RawMessage(result))))
	Expect(cut.Shown).To(Equal(excerpts.TextSize(cut.Result)))
	Expect(cut.Shown).To(BeNumerically("<=", limit))
	return string(cut.Result)
}

var _ = Describe("A result", func() {
	long := strings.Repeat("a line\n", 100)
	object := `{"items":` + items(100, "") + `}`

	DescribeTable("stays as it is", func(result string) {
		_, isCut := excerpts.Fit(json.RawMessage(result), 1000)

		Expect(isCut).To(BeFalse())
	},
		Entry("when its text fits", texts(long)),
		Entry("when only an image is long", `{"content":[{"type":"image","data":"`+strings.Repeat("A", 5000)+`"}]}`),
		Entry("when the same JSON is there twice and fits once", `{"content":[{"type":"text","text":"{ \"a\": \"`+
			strings.Repeat("a", 800)+`\" }"}],"structuredContent":{"a":"`+strings.Repeat("a", 800)+`"}}`),
		Entry("when the same text is the only member of its structured content too",
			`{"content":[{"type":"text","text":"`+strings.Repeat("a", 800)+`"}],"structuredContent":{"result":"`+strings.Repeat("a", 800)+`"}}`),
		Entry("when it is an array", `["`+long+`"]`),
		Entry("when it asks for input", `{"resultType":"input_required","requestState":"`+strings.Repeat("s", 2000)+`"}`),
	)

	It("keeps the first lines of a text, and says what is left out", func() {
		Expect(fittedResult(texts(long), 300)).To(Equal(texts(strings.Repeat("a line\n", 30) + "… 490 more characters in 70 more lines")))
	})

	It("keeps the beginning of a line that is too long", func() {
		Expect(fittedResult(texts(strings.Repeat("é", 1000)), 300)).To(Equal(texts(strings.Repeat("é", 105) + "\n… 895 more characters")))
	})

	It("keeps JSON as JSON in a text", func() {
		first := make([]string, 13)
		for i := range first {
			first[i] = fmt.Sprintf(`{"id":%d},`, i+1)
		}
		Expect(fittedResult(texts(object), 250)).To(Equal(texts(`{"items":[` + strings.Join(first, "") + `"… 87 more items"]}`)))
	})

	It("keeps everything but its texts", func() {
		image := `{"type":"image","data":"` + strings.Repeat("A", 500) + `"}`
		link := `{"type":"resource_link","uri":"file:///a"}`

		cut := fittedResult(`{"_meta":{"a":1},"content":[`+image+`,{"type":"text","text":"`+strings.Repeat("a", 900)+`","annotations":{"priority":0.10}},`+
			link+`,7],"isError":true,"x":1.50}`, 200)

		Expect(cut).To(ContainSubstring(image))
		Expect(cut).To(ContainSubstring(link + ",7]"))
		Expect(cut).To(ContainSubstring(`"annotations":{"priority":0.10}`))
		Expect(cut).To(ContainSubstring(`"_meta":{"a":1},"isError":true,"x":1.50`))
	})

	It("cuts the text of an embedded resource", func() {
		cut := fittedResult(`{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"`+strings.Repeat("a", 900)+`"}}]}`, 200)

		Expect(cut).To(HavePrefix(`{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"aaaa`))
	})

	It("shows JSON once that it has twice", func() {
		cut := fittedResult(`{"content":[{"type":"text","text":`+string(rawjson.Quote(object))+`}],"structuredContent":`+object+`}`, 250)

		Expect(cut).NotTo(ContainSubstring("structuredContent"))
		Expect(cut).To(ContainSubstring(`{\"id\":1}`))
	})

	It("shows structured content that does not fit as a text", func() {
		cut := fittedResult(`{"structuredContent":`+object+`}`, 250)

		Expect(cut).To(HavePrefix(`{"content":[{"type":"text","text":"{\"items\":[{\"id\":1}`))
		Expect(cut).NotTo(ContainSubstring("structuredContent"))
	})

	It("keeps structured content that fits beside a text that does not", func() {
		Expect(fittedResult(`{"content":[{"type":"text","text":"`+strings.Repeat("a", 900)+`"}],"structuredContent":{"count":1}}`, 250)).
			To(HaveSuffix(`"structuredContent":{"count":1}}`))
	})

	It("shares its limit among texts, of which short ones stay whole", func() {
		cut := fittedResult(texts("short", strings.Repeat("b", 2000), strings.Repeat("c", 2000)), 1000)

		Expect(cut).To(ContainSubstring(`"text":"short"`))
		Expect(strings.Count(cut, "b")).To(BeNumerically("~", strings.Count(cut, "c"), 50))
	})

	It("is whole if only the white space of its JSON is left out", func() {
		cut, isCut := excerpts.Fit(json.RawMessage(texts("[\n"+strings.Repeat("    1,\n", 200)+"    2\n]")), 1000)

		Expect(isCut).To(BeTrue())
		Expect([]int{cut.Shown, cut.Whole}).To(Equal([]int{403, 403}))
		Expect(string(cut.Result)).To(Equal(texts("[" + strings.Repeat("1,", 200) + "2]")))
	})

	It("counts texts for which there is no room", func() {
		cut := fittedResult(texts(strings.Fields(strings.Repeat(strings.Repeat("a", 300)+" ", 5000))...), 1000)

		Expect(cut).To(HaveSuffix(`{"type":"text","text":"… 4,996 more texts"}]}`))
	})

	It("shows the first texts whole where many are short", func() {
		short := strings.Fields(strings.Repeat(strings.Repeat("a", 1000)+" ", 200))
		cut := fittedResult(texts(short...), 7600)
		Expect(strings.Count(cut, `"`+short[0]+`"`)).To(Equal(7))
		Expect(cut).To(HaveSuffix(`{"type":"text","text":"… 193 more texts"}]}`))

		Expect(fittedResult(texts(strings.Split(strings.Repeat("ab ", 5000), " ")...), 2000)).To(HaveSuffix(`{"type":"text","text":"… 4,926 more texts"}]}`))
	})

	It("has each member once, so that no reader finds a text that was not cut", func() {
		cut := fittedResult(`{"content":[],"content":[{"type":"text","text":"`+strings.Repeat("a", 900)+`","text":"`+strings.Repeat("b", 900)+`"}]}`, 200)

		Expect(strings.Count(cut, `"content"`)).To(Equal(1))
		Expect(strings.Count(cut, `"text":`)).To(Equal(1))
	})

	It("takes a text that only begins like JSON by its lines", func() {
		Expect(fittedResult(texts("[WARN] this\n"+long), 200)).To(ContainSubstring(`more lines`))
	})

	DescribeTable("has a note at its end", func(result, noted string) {
		Expect(string(excerpts.WithNote(json.RawMessage(result), "note"))).To(Equal(noted))
	},
		Entry("in its first text", `{"content":[{"type":"image"},{"type":"text","text":"a","x":1},{"type":"text","text":"b"}]}`,
			`{"content":[{"type":"image"},{"type":"text","text":"a\nnote","x":1},{"type":"text","text":"b"}]}`),
		Entry("after other contents", `{"content":[{"type":"image"}]}`, `{"content":[{"type":"image"},{"type":"text","text":"note"}]}`),
		Entry("without others", `{"content":[ ]}`, `{"content":[ {"type":"text","text":"note"}]}`),
		Entry("without content", `{"x":1}`, `{"content":[{"type":"text","text":"note"}],"x":1}`),
	)
})

var _ = Describe("The payload of a result", func() {
	DescribeTable("is", func(result string, text string, values ...string) {
		payload := excerpts.NewPayload(json.RawMessage(result))

		Expect(payload.Text).To(Equal(text))
		found := make([]string, len(payload.Values))
		for i, value := range payload.Values {
			found[i] = string(value)
		}
		Expect(found).To(Equal(append([]string{}, values...)))
	},
		Entry("its text", texts("a", "b"), "a\nb"),
		Entry("the JSON of its text", texts(` {"a":1} `), ` {"a":1} `, `{"a":1}`),
		Entry("the JSON of its texts", texts(`{"a":1}`, "and", `[2]`), "{\"a\":1}\nand\n[2]", `{"a":1}`, `[2]`),
		Entry("the JSON behind a byte order mark", texts("\ufeff[2]"), "\ufeff[2]", `[2]`),
		Entry("JSON Lines", texts("{\"a\":1}\n\n{\"a\":2}\r\n"), "{\"a\":1}\n\n{\"a\":2}\r\n", `{"a":1}`, `{"a":2}`),
		Entry("the JSON below a line", texts("Found:\n[\n2]\n"), "Found:\n[\n2]\n", "[\n2]"),
		Entry("the JSON in fences", texts("```json\n{\"a\":1}\n```\nand\n```\n[2]\n```\n"), "```json\n{\"a\":1}\n```\nand\n```\n[2]\n```\n", `{"a":1}`, `[2]`),
		Entry("the JSON in a fence without an end", texts("```json\n{\"a\":1}"), "```json\n{\"a\":1}", `{"a":1}`),
		Entry("no JSON with text behind it", texts("Found:\n[2]\nin all"), "Found:\n[2]\nin all"),
		Entry("no lines of which one is text", texts("{\"a\":1}\nand"), "{\"a\":1}\nand"),
		Entry("no JSON that breaks off", texts(`{"a":1`), `{"a":1`),
		Entry("its structured content", `{"structuredContent":{"a":1}}`, `{"a":1}`, `{"a":1}`),
		Entry("its structured content before its text",
			`{"content":[{"type":"text","text":"[7]"}],"structuredContent":{"a":1}}`, `[7]`, `{"a":1}`),
		Entry("the JSON of its text, not the member that repeats it",
			`{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"content":"{\"a\":1}"}}`, `{"a":1}`, `{"a":1}`),
		Entry("the member that repeats its text, which is not JSON",
			`{"content":[{"type":"text","text":"a"}],"structuredContent":{"content":"a"}}`, `a`, `{"content":"a"}`),
		Entry("nothing of what is no object", `[1]`, ""),
	)
})

var _ = Describe("A shape", func() {
	DescribeTable("describes", func(value string, limit int, shape string) {
		Expect(excerpts.Shape([]json.RawMessage{json.RawMessage(value)}, limit)).To(Equal(shape))
	},
		Entry("members, kinds and lengths",
			`{"total":1204,"issues":[{"id":1,"title":"a","body":"`+strings.Repeat("b", 812)+`","open":true,"by":null,"labels":[]}]}`, 2000,
			`{"total": number, "issues": [1 × {"id": number, "title": string, "body": string of 812 bytes, "open": boolean, "by": null, "labels": []}]}`),
		Entry("members that only some elements of an array have",
			`[{"a":1,"a":2,"by":null},{"a":1,"by":"x"},{"b":[]},`+strings.Repeat(`{},`, 5)+`{"late":1}]`, 2000,
			`[9 × {"a"?: number, "by"?: string, "b"?: []}]`),
		Entry("elements of several kinds by the first", `[1,{"a":1}]`, 2000, `[2 × number]`),
		Entry("deep values less deep in little space",
			`{"a":{"b":{"c":{"d":[1,2,3],"e":{"f":{},"g":{}}}}},"x":[{"y":1,"a long name":1,"another long name":2}]}`, 100,
			`{"a": {"b": {1 member}}, "x": [1 × {3 members}]}`),
		Entry("a map of many members by their first", `{`+strings.Repeat(`"key":1,`, 1000)+`"z":1}`, 100, `{1,001 members}`),
	)
})

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
		Expect(string(excerpts.Value([]byte(value), limit))).To(Equal(cut))
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

		cut := excerpts.Value([]byte("["+first+strings.Repeat(",0", 200)+"]"), 200)

		Expect(string(cut)).To(HavePrefix("[" + first + ",0,0,"))
		Expect(string(cut)).To(HaveSuffix(` more items"]`))
	})

	It("has no white space between its tokens, and so more elements, once it is cut", func() {
		pretty := "[\n" + strings.Repeat("  {\n    \"a b\": \"c \\\" d\"\n  },\n", 50) + "  1\n]"

		Expect(string(excerpts.Value([]byte(pretty), 200))).To(Equal(`[` + strings.Repeat(`{"a b":"c \" d"},`, 8) + `"… 43 more items"]`))
		Expect(string(excerpts.Value([]byte(pretty), 1100))).To(Equal(`[` + strings.Repeat(`{"a b":"c \" d"},`, 50) + `1]`))
	})

	It("uses its limit, however many lists share it", func() {
		var lists []string
		for i := range 45 {
			lists = append(lists, fmt.Sprintf(`"service%d":%s`, i, items(12, `,"name":"`+strings.Repeat("x", 60)+`"`)))
		}

		cut := excerpts.Value([]byte("{"+strings.Join(lists, ",")+"}"), 8000)

		Expect(len(cut)).To(BeNumerically(">", 7600))
	})

	DescribeTable("stays JSON within the limit, however it is made", func(value string) {
		for _, limit := range []int{0, 100, 101, 150, 1000, 40_000} {
			cut := excerpts.Value([]byte(value), limit)

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
