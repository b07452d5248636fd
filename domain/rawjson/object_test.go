package rawjson_test

import (
	"encoding/json"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

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
