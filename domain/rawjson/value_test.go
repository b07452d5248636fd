package rawjson_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

// parsedValue returns a text taken apart.
func parsedValue(text string) rawjson.Value {
	GinkgoHelper()
	value, err := rawjson.Parse([]byte(text))
	Expect(err).NotTo(HaveOccurred())
	return value
}

var _ = Describe("Text that is taken apart", func() {
	It("keeps the order and the bytes of members", func() {
		value := parsedValue(` {"b": 1.0, "\u0061" :[ true,"x"] } `)

		Expect(value.Kind).To(Equal(byte('{')))
		Expect(string(value.Raw)).To(Equal(`{"b": 1.0, "\u0061" :[ true,"x"] }`))
		Expect(value.Parts).To(HaveExactElements(HaveField("Name", "b"), HaveField("Name", "a")))
		Expect(string(value.Member("b").Raw)).To(Equal("1.0"))
		Expect(value.Member("a").Elements()).To(HaveExactElements(HaveField("Kind", byte('t')), HaveField("Kind", byte('"'))))
	})

	DescribeTable("knows the kind of a value",
		func(text string, kind byte) { Expect(parsedValue(text).Kind).To(Equal(kind)) },
		Entry("an object", `{}`, byte('{')),
		Entry("an array", `[]`, byte('[')),
		Entry("a string", `""`, byte('"')),
		Entry("a negative number", `-1`, byte('0')),
		Entry("a number", `9`, byte('0')),
		Entry("true", `true`, byte('t')),
		Entry("false", `false`, byte('f')),
		Entry("null", `null`, byte('n')),
	)

	It("has the last of several members with one name, and reports that there are several", func() {
		value := parsedValue(`{"a":1,"b":2,"\u0061":3}`)

		Expect(string(value.Member("a").Raw)).To(Equal("3"))
		Expect(value.Repeats()).To(BeTrue())
		Expect(parsedValue(`{"a":1,"b":2}`).Repeats()).To(BeFalse())
		many := `{"m":0`
		for c := 'a'; c <= 'z'; c++ {
			many += `,"` + string(c) + string(c) + `":1`
		}
		Expect(parsedValue(many + `}`).Repeats()).To(BeFalse())
		Expect(parsedValue(many + `,"aa":2}`).Repeats()).To(BeTrue())
	})

	It("has no member of another kind of value, and none that is not there", func() {
		Expect(parsedValue(`{"a":1}`).Member("b").Exists()).To(BeFalse())
		Expect(parsedValue(`["a"]`).Member("a").Exists()).To(BeFalse())
		Expect(parsedValue(`{"a":1}`).Elements()).To(BeEmpty())
		Expect(parsedValue(`{"a":null}`).Member("a").Exists()).To(BeTrue())
	})

	It("gives the strings of an array, or the one string that it is", func() {
		Expect(parsedValue(`["a",1,"\u0062",null]`).Texts()).To(Equal([]string{"a", "b"}))
		Expect(parsedValue(`"a"`).Texts()).To(Equal([]string{"a"}))
		Expect(parsedValue(`{"a":"b"}`).Texts()).To(BeEmpty())
	})

	It("is taken apart 64 objects and arrays deep", func() {
		value := parsedValue(strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100))
		depth := 0
		for value.Kind == '[' {
			depth++
			value = value.Parts[0].Value
		}

		Expect(depth).To(Equal(64))
		Expect(value.Kind).To(Equal(byte(rawjson.TooDeep)))
		Expect(value.Raw).To(HaveLen(2 * 36))
		Expect(value.Parts).To(BeEmpty())
	})

	DescribeTable("is refused if it is",
		func(text string) {
			_, err := rawjson.Parse([]byte(text))

			Expect(err).To(MatchError(rawjson.ErrSyntax))
		},
		Entry("empty", ``),
		Entry("a part of a value", `{"a":[1`),
		Entry("more than one value", `{} {}`),
		Entry("closed by another bracket", `[1}`),
		Entry("an object with a name that is no string", `{a:1}`),
		Entry("a list with a comma too many", `[1,]`),
		Entry("deeper than 10,000", strings.Repeat(`[`, 10_001)+strings.Repeat(`]`, 10_001)),
	)
})

func FuzzParse(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":"\u00e9"}],"a":null}`, `[[[]]]`, `"x`, ` -1e5 `, `{"a" 1}`, "\"\xff\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		value, err := rawjson.Parse(text)
		if (err == nil) != json.Valid(text) {
			t.Fatalf("%q: %v", text, err)
		}
		var visit func(rawjson.Value)
		visit = func(v rawjson.Value) {
			if v.Kind != rawjson.Kind(v.Raw) && v.Kind != rawjson.TooDeep || !json.Valid(v.Raw) {
				t.Errorf("%q has a part %q of kind %q", text, v.Raw, v.Kind)
			}
			for _, part := range v.Parts {
				visit(part.Value)
			}
		}
		if err == nil {
			visit(value)
		}
	})
}

var _ = Describe("The canonical form of JSON", func() {
	canonical := func(text string) string {
		GinkgoHelper()
		return string(spec.Must(rawjson.Canonical([]byte(text))))
	}

	It("is that of RFC 8785", func() {
		// The example of its section 3.2.3, and the numbers of 3.2.2.
		Expect(canonical(`{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
			"1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`)).To(Equal(
			`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`))
		Expect(canonical(`[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, 1.0]`)).To(Equal(
			`[333333333.3333333,1e+30,4.5,0.002,1e-27,1]`))
	})

	DescribeTable("is the same however a text is written",
		func(first, other string) { Expect(canonical(first)).To(Equal(canonical(other))) },
		Entry("the order of members", `{"b":{"d":1,"c":2},"a":3}`, `{"a":3,"b":{"c":2,"d":1}}`),
		Entry("white space", "[ 1 ,\t{ \"a\" :\r\n null } ]", `[1,{"a":null}]`),
		Entry("escapes", `"\u00e9\/\u0041"`, `"é/A"`),
	)

	DescribeTable("differs where the meaning does",
		func(first, other string) { Expect(canonical(first)).NotTo(Equal(canonical(other))) },
		Entry("the order of elements", `[1,2]`, `[2,1]`),
		Entry("integers that are the same as doubles", `9007199254740993`, `9007199254740992`),
		Entry("numbers and texts", `1`, `"1"`),
		Entry("absent and null", `{}`, `{"a":null}`),
		Entry("the order of members of one name, of which the last counts for most", `{"a":1,"a":2}`, `{"a":2,"a":1}`),
		Entry("the same further inside", `[{"b":0,"x":{"a":1,"a":2}}]`, `[{"b":0,"x":{"a":2,"a":1}}]`),
	)

	It("keeps the digits of integers of any size", func() {
		Expect(canonical(`[12345678901234567890123,-9007199254740993]`)).To(Equal(`[12345678901234567890123,-9007199254740993]`))
	})

	It("changes no byte of what it is given", func() {
		text := []byte(`{"b":1, "a":2}`)

		Expect(rawjson.Canonical(text)).Error().NotTo(HaveOccurred())
		Expect(string(text)).To(Equal(`{"b":1, "a":2}`))
	})

	It("is its own canonical form", func() {
		for _, text := range []string{`{"b":1.0,"a":[1e3]}`, `{"b":1,"b":2,"a":"\u0001"}`, `"` + "\xff" + `"`} {
			Expect(canonical(canonical(text))).To(Equal(canonical(text)))
		}
	})

	It("refuses invalid JSON", func() {
		for _, text := range []string{``, `{`, `{"a":1}x`, `nul`} {
			_, err := rawjson.Canonical([]byte(text))
			Expect(err).To(MatchError(rawjson.ErrSyntax), text)
		}
	})
})

var _ = Describe("Cutting an object where a member stands", func() {
	DescribeTable("finds the value", func(text, before, value, after string) {
		gotBefore, gotValue, gotAfter, found := rawjson.Cut([]byte(text), "m")

		Expect(found).To(BeTrue())
		Expect([]string{string(gotBefore), string(gotValue), string(gotAfter)}).To(Equal([]string{before, value, after}))
	},
		Entry("alone", `{"m":1}`, `{"m":`, `1`, `}`),
		Entry("among others, with its white space", ` { "a":0, "m" : [1, 2] ,"b":{"m":3}}`, ` { "a":0, "m" : `, `[1, 2]`, ` ,"b":{"m":3}}`),
		Entry("behind an escaped name", `{"\u006d":null}`, `{"\u006d":`, `null`, `}`),
		Entry("of the last of repeated members", `{"m":1,"m":2,"n":3}`, `{"m":1,"m":`, `2`, `,"n":3}`),
	)

	DescribeTable("finds none", func(text string) {
		_, value, _, found := rawjson.Cut([]byte(text), "m")

		Expect(found).To(BeFalse())
		Expect(value).To(BeNil())
		Expect(rawjson.Member([]byte(text), "m")).To(BeNil())
	},
		Entry("in an object without it", `{"a":{"m":1}}`), Entry("in a list", `["m"]`), Entry("in nothing", ``),
		Entry("in an object that is cut off", `{"m":1`), Entry("in another case", `{"M":1}`),
	)

	DescribeTable("puts a value in", func(text, changed string) {
		Expect(string(rawjson.With([]byte(text), "m", []byte("9")))).To(Equal(changed))
	},
		Entry("in place of the old one", `{"a":1, "m" : {"x":1} ,"b":2}`, `{"a":1, "m" : 9 ,"b":2}`),
		Entry("in front of the others", ` {"a":1}`, `{"m":9,"a":1}`),
		Entry("alone", `{ }`, `{"m":9}`),
		Entry("in place of a value that is not an object", `[1]`, `{"m":9}`), Entry("in place of nothing", ``, `{"m":9}`),
	)

	DescribeTable("takes a member out", func(text, changed string) {
		Expect(string(rawjson.Without([]byte(text), "m"))).To(Equal(changed))
	},
		Entry("before others", `{"m":1, "a" : {"x": 1.0} }`, `{"a":{"x": 1.0}}`),
		Entry("between others, each time that it is there", `{"a":1,"m":2,"b\n":3,"\u006d":4}`, `{"a":1,"b\n":3}`),
		Entry("alone", ` { "m" : {"m":1} } `, `{}`),
		Entry("or leaves alone what has none", ` {"a":{"m":1}}`, ` {"a":{"m":1}}`), Entry("or is no object", `["m"]`, `["m"]`),
	)

	It("tells what is declared by its presence", func() {
		declared := []byte(`{"tools":{"listChanged":true},"logging":{},"tasks":null}`)

		Expect(rawjson.HasMember(declared, "tools")).To(BeTrue())
		Expect(rawjson.HasMember(declared, "tools", "listChanged")).To(BeTrue())
		Expect(rawjson.HasMember(declared, "logging")).To(BeTrue())
		Expect(rawjson.HasMember(declared, "tasks")).To(BeFalse())
		Expect(rawjson.HasMember(declared, "logging", "x")).To(BeFalse())
		Expect(rawjson.HasMember(nil, "tools")).To(BeFalse())
	})
})

// FuzzWith holds changed objects to what encoding/json reads in them.
func FuzzWith(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `{}`, `[]`, `null`, `1`, `"a"`, `{`, `[{}`, `{"a":}`, `{} {}`, "\ufeff{}", `{"id":1,"id":2}`, `{"ID":1}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"id":"t","a":[1,{"b":null}]}}`, `{"\u0069d":1,"result":0}`,
		"\t{ \"a\" :\r\"2.0\" , \"id\" : 1 , \"b\" : [ ] } ", `{"id":{},"\ud800":{"\udfff":"\ud83d\ude00"}}`,
	} {
		f.Add([]byte(seed), "id")
	}
	f.Add([]byte(`{"a":1,"a":2}`), "a")
	f.Add([]byte("\n{\t}"), "\"\n")
	f.Fuzz(func(t *testing.T, text []byte, member string) {
		if !utf8.ValidString(member) || !utf8.Valid(text) {
			t.Skip("encoding/json mistakes names that are not UTF-8 for each other")
		}
		before, value, after, found := rawjson.Cut(text, member)
		if found && string(before)+string(value)+string(after) != string(text) {
			t.Fatalf("cut %q into %q, %q and %q", text, before, value, after)
		}
		changed := rawjson.With(text, member, []byte(`[1]`))
		var old, now map[string]json.RawMessage
		if json.Unmarshal(text, &old) != nil {
			old = nil
		}
		if err := json.Unmarshal(changed, &now); err != nil {
			t.Fatalf("%q with %q is %q: %v", text, member, changed, err)
		}
		if string(now[member]) != "[1]" {
			t.Fatalf("%q with %q is %q", text, member, changed)
		}
		for other, old := range old {
			if other != member && !bytes.Equal(now[other], old) {
				t.Fatalf("%q with %q is %q: another %q", text, member, changed, other)
			}
		}
	})
}

var _ = Describe("Writing an object", func() {
	It("has its members in the order in which they were added", func() {
		object := rawjson.Object{}.Text("b", "x").Raw("a", []byte(`[1, 2]`)).Bool("c", true).Uint("d", math.MaxUint64).Int("e", math.MinInt64)

		Expect(string(object.JSON())).To(Equal(`{"b":"x","a":[1, 2],"c":true,"d":18446744073709551615,"e":-9223372036854775808}`))
	})

	It("may be empty", func() {
		Expect(string(rawjson.Object{}.JSON())).To(Equal(`{}`))
		Expect(string(rawjson.NewObject(nil).JSON())).To(Equal(`{}`))
		Expect(string(rawjson.Object{}.Members(nil).JSON())).To(Equal(`{}`))
	})

	It("quotes names and texts, and keeps the bytes of JSON", func() {
		object := rawjson.Object{}.Text("a\"\n", "\\\x01\xff").Raw("n", []byte(`1.50e400`)).JSON()

		Expect(string(object)).To(Equal(`{"a\"\n":"\\\u0001` + "\uFFFD" + `","n":1.50e400}`))
		Expect(json.Valid(object)).To(BeTrue())
	})

	It("may be a value of the program, with texts that are quoted as others are", func() {
		value := struct {
			B string         `json:"b"`
			A map[string]any `json:"a"`
		}{"<&\u2028\xff>\n", map[string]any{"n": 1, "raw": json.RawMessage(`{"x": "\u003c"}`)}}

		Expect(string(rawjson.MustMarshal(value))).To(Equal(`{"b":"<&` + "\u2028\uFFFD" + `>\n","a":{"n":1,"raw":{"x":"<"}}}`))
		Expect(func() { rawjson.MustMarshal(func() {}) }).To(PanicWith(HavePrefix("marshal func(): ")))
	})

	It("takes members that are written already, between others", func() {
		Expect(string(rawjson.Object{}.Members([]byte(`"a":1,"b":2`)).Text("c", "x").Members([]byte(`"d":{}`)).JSON())).
			To(Equal(`{"a":1,"b":2,"c":"x","d":{}}`))
		Expect(string(rawjson.Object{}.Raw("o", []byte(`{}`)).Members(nil).Bool("b", false).JSON())).To(Equal(`{"o":{},"b":false}`))
	})

	It("appends to a buffer and uses the room that it has", func() {
		buffer := append(make([]byte, 0, 64), "x:"...)

		text := rawjson.NewObject(buffer).Text("a", "b").JSON()

		Expect(string(text)).To(Equal(`x:{"a":"b"}`))
		Expect(&text[0]).To(BeIdenticalTo(&buffer[0]))
	})
})

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
