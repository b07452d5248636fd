package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

// parsed returns a text taken apart.
func parsed(text string) rawjson.Value {
	GinkgoHelper()
	value, err := rawjson.Parse([]byte(text))
	Expect(err).NotTo(HaveOccurred())
	return value
}

var _ = Describe("Text that is taken apart", func() {
	It("keeps the order and the bytes of members", func() {
		value := parsed(` {"b": 1.0, "\u0061" :[ true,"x"] } `)

		Expect(value.Kind).To(Equal(byte('{')))
		Expect(string(value.Raw)).To(Equal(`{"b": 1.0, "\u0061" :[ true,"x"] }`))
		Expect(value.Parts).To(HaveExactElements(HaveField("Name", "b"), HaveField("Name", "a")))
		Expect(string(value.Member("b").Raw)).To(Equal("1.0"))
		Expect(value.Member("a").Elements()).To(HaveExactElements(HaveField("Kind", byte('t')), HaveField("Kind", byte('"'))))
	})

	DescribeTable("knows the kind of a value",
		func(text string, kind byte) { Expect(parsed(text).Kind).To(Equal(kind)) },
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
		value := parsed(`{"a":1,"b":2,"\u0061":3}`)

		Expect(string(value.Member("a").Raw)).To(Equal("3"))
		Expect(value.Repeats()).To(BeTrue())
		Expect(parsed(`{"a":1,"b":2}`).Repeats()).To(BeFalse())
		many := `{"m":0`
		for c := 'a'; c <= 'z'; c++ {
			many += `,"` + string(c) + string(c) + `":1`
		}
		Expect(parsed(many + `}`).Repeats()).To(BeFalse())
		Expect(parsed(many + `,"aa":2}`).Repeats()).To(BeTrue())
	})

	It("has no member of another kind of value, and none that is not there", func() {
		Expect(parsed(`{"a":1}`).Member("b").Exists()).To(BeFalse())
		Expect(parsed(`["a"]`).Member("a").Exists()).To(BeFalse())
		Expect(parsed(`{"a":1}`).Elements()).To(BeEmpty())
		Expect(parsed(`{"a":null}`).Member("a").Exists()).To(BeTrue())
	})

	It("gives the strings of an array, or the one string that it is", func() {
		Expect(parsed(`["a",1,"\u0062",null]`).Texts()).To(Equal([]string{"a", "b"}))
		Expect(parsed(`"a"`).Texts()).To(Equal([]string{"a"}))
		Expect(parsed(`{"a":"b"}`).Texts()).To(BeEmpty())
	})

	It("is taken apart 64 objects and arrays deep", func() {
		value := parsed(strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100))
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

	DescribeTable("is JSON",
		func(text string) {
			_, err := rawjson.Parse([]byte(text))

			Expect(err).To(MatchError(rawjson.ErrSyntax))
		},
		Entry("not nothing", ``),
		Entry("not a part of it", `{"a":[1`),
		Entry("not more than one value", `{} {}`),
		Entry("not another end", `[1}`),
		Entry("not a name that is no string", `{a:1}`),
		Entry("not a comma too many", `[1,]`),
		Entry("not deeper than 10,000", strings.Repeat(`[`, 10_001)+strings.Repeat(`]`, 10_001)),
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
