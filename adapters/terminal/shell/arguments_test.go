package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/tests/spec"
)

// objectOf returns the object that words mean for a tool whose input schema has the property "a".
func objectOf(property string, words ...string) (string, error) {
	GinkgoHelper()
	arguments := spec.Must(shell.ParseArguments(words))
	definition := `{"inputSchema":{"properties":{"a":` + property + `},"$defs":{"n/m":{"type":"number"}}}}`
	object, err := shell.Object(arguments, []byte(definition))
	return string(object), err
}

var _ = Describe("Arguments of a call", func() {
	DescribeTable("have the type that the input schema gives them",
		func(property, value, expected string) {
			Expect(objectOf(property, "a="+value)).To(Equal(`{"a":` + expected + `}`))
		},
		Entry("a string, which looks like a number", `{"type":"string"}`, "12", `"12"`),
		Entry("a string, with quotes", `{"type":"string"}`, `a"b`, `"a\"b"`),
		Entry("an integer", `{"type":"integer"}`, "9007199254740993", `9007199254740993`),
		Entry("an integer where numbers are allowed", `{"type":"number"}`, "1", `1`),
		Entry("a boolean", `{"type":["boolean","null"]}`, "true", `true`),
		Entry("null", `{"type":["boolean","null"]}`, "null", `null`),
		Entry("an array", `{"type":"array"}`, "[1, 2]", `[1, 2]`),
		Entry("of a reference", `{"$ref":"#/$defs/n~1m"}`, "1.5", `1.5`),
		Entry("of an alternative", `{"anyOf":[{"type":"null"},{"type":"integer"}]}`, "7", `7`),
		Entry("of an enum", `{"enum":[1,"1"]}`, "1", `1`),
		Entry("of an enum of strings", `{"type":"integer","enum":["one"]}`, "one", `"one"`),
		Entry("of a constant", `{"const":true}`, "true", `true`),
		Entry("a string where the schema says nothing", `{}`, "true", `"true"`),
		Entry("a string where the schema is invalid", `7`, "true", `"true"`),
		Entry("a string where an enum has no such value", `{"enum":[1]}`, "", `""`),
	)

	It("are refused where no type fits, with the types that do", func() {
		_, err := objectOf(`{"type":["integer","boolean"]}`, "a=1.5")

		Expect(err).To(MatchError(`"a" must be of the type boolean or integer, not "1.5"; a:=… takes any JSON`))
	})

	It("keep the bytes of JSON and their order", func() {
		Expect(objectOf(`{"type":"integer"}`, "z:=[1,  2]", "a:={}")).To(Equal(`{"z":[1,  2],"a":{}}`))
	})

	It("are strings when the definition is not JSON", func() {
		Expect(string(spec.Must(shell.Object([]shell.Argument{{Key: "a", Value: "1"}}, []byte(`{"inputSchema":`))))).To(Equal(`{"a":"1"}`))
	})

	It("are read with bounded work", func() {
		alternatives := strings.TrimSuffix(strings.Repeat(`{"$ref":"#/properties/a"},`, 1000), ",")

		Expect(objectOf(`{"type":"string","anyOf":[`+alternatives+`]}`, "a=1")).To(Equal(`{"a":"1"}`))
	})

	DescribeTable("are refused",
		func(reason string, words ...string) {
			_, err := shell.ParseArguments(words)

			Expect(err).To(MatchError(reason))
		},
		Entry("without a value", `"a" is neither key=value nor key:=json`, "a"),
		Entry("without a key", `"=1" is neither key=value nor key:=json`, "=1"),
		Entry("an object", `"{\"a\"=1}" is neither key=value nor key:=json; --args takes one JSON object`, `{"a"=1}`),
		Entry("with invalid JSON", `the value of "a" is not JSON: {`, "a:={"),
		Entry("twice", `"a" is given twice`, "a=1", "a:=2"),
	)

	DescribeTable("written whole are an object",
		func(text, reason string) {
			_, err := shell.ReadObject([]byte(text))

			Expect(err).To(MatchError(reason))
		},
		Entry("not a list", ` [1]`, "the arguments must be a JSON object"),
		Entry("not half of one", `{"a"`, "the arguments are not valid JSON"),
		Entry("not nothing", ` `, "the arguments are not valid JSON"),
	)
})
