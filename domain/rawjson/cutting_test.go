package rawjson_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

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
