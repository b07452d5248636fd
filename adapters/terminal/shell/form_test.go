package shell

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// fieldOf returns the only field of a form.
func fieldOf(schema string) field {
	GinkgoHelper()
	fields := spec.Must(readFields([]byte(`{"properties":{"f":` + schema + `}}`)))
	Expect(fields).To(HaveLen(1))
	return fields[0]
}

var _ = Describe("A form", func() {
	It("has its fields in the order of its schema", func() {
		fields := spec.Must(readFields([]byte(`{"properties":{"b":{"type":"string"},"a":{"type":"boolean"}},"required":["a"]}`)))
		Expect(fields).To(HaveLen(2))
		Expect([]string{fields[0].name, fields[1].name}).To(Equal([]string{"b", "a"}))
		Expect([]bool{fields[0].required, fields[1].required}).To(Equal([]bool{false, true}))
	})

	It("can have no fields", func() {
		Expect(readFields([]byte(`{}`))).To(BeEmpty())
		Expect(readFields([]byte(`{"properties":{}}`))).To(BeEmpty())
	})

	DescribeTable("is refused",
		func(schema, reason string) {
			_, err := readFields([]byte(schema))

			Expect(err).To(MatchError(ContainSubstring(reason)))
		},
		Entry("when it is not an object", `[]`, "the form cannot be read"),
		Entry("when its fields are not an object", `{"properties":[]}`, "not a JSON object"),
		Entry("when a field is not an object", `{"properties":{"f":1}}`, `the field "f"`),
		Entry("when a field has a type that no form has", `{"properties":{"f":{"type":"object"}}}`, `the field "f" has the type "object"`),
	)

	DescribeTable("asks for a field",
		func(schema, question string) { Expect(fieldOf(schema).question()).To(Equal(question)) },
		Entry("by its name", `{"type":"string"}`, "f (optional): "),
		Entry("by its title, with its description", `{"type":"integer","title":"T","description":"D","default":7}`, "T - D (integer, default 7): "),
		Entry("of two answers", `{"type":"boolean"}`, "f (yes or no, optional): "),
		Entry("of an enum", `{"type":"string","enum":["a"]}`, "f (one of these, optional): "),
		Entry("of a format", `{"type":"string","format":"email"}`, "f (an email address, optional): "),
		Entry("of an unknown format", `{"type":"string","format":"colour"}`, "f (optional): "),
		Entry("of several values", `{"type":"array","items":{"enum":["a"]}}`, "f (several of these, separated by commas, optional): "),
	)

	DescribeTable("accepts a line as a value",
		func(schema, line, value string) {
			Expect(string(spec.Must(fieldOf(schema).read(line)))).To(Equal(value))
		},
		Entry("a text", `{"type":"string","minLength":2,"maxLength":2}`, "äö", `"äö"`),
		Entry("an email address", `{"type":"string","format":"email"}`, "a.b+c@example.com", `"a.b+c@example.com"`),
		Entry("an address", `{"type":"string","format":"uri"}`, "https://example.com/?a=b", `"https://example.com/?a=b"`),
		Entry("an address of another scheme", `{"type":"string","format":"uri"}`, "mailto:a@example.com", `"mailto:a@example.com"`),
		Entry("a date", `{"type":"string","format":"date"}`, "2024-02-29", `"2024-02-29"`),
		Entry("a time", `{"type":"string","format":"date-time"}`, "2024-02-29T23:59:59.5+02:00", `"2024-02-29T23:59:59.5+02:00"`),
		Entry("anything in an unknown format", `{"type":"string","format":"colour"}`, "x", `"x"`),
		Entry("a yes", `{"type":"boolean"}`, "Y", `true`),
		Entry("a no", `{"type":"boolean"}`, "no", `false`),
		Entry("an integer of any size", `{"type":"integer"}`, "9007199254740993", `9007199254740993`),
		Entry("a number", `{"type":"number","minimum":1,"maximum":2}`, "1.50", `1.50`),
		Entry("a choice", `{"type":"string","oneOf":[{"const":"a","title":"A"}]}`, "a", `"a"`),
		Entry("several choices", `{"type":"array","items":{"anyOf":[{"const":"a"},{"const":"b"}]}}`, "b, a", `["b","a"]`),
	)

	DescribeTable("refuses a line",
		func(schema, line, reason string) {
			_, err := fieldOf(schema).read(line)

			Expect(err).To(MatchError(ContainSubstring(reason)))
		},
		Entry("too short", `{"type":"string","minLength":3}`, "äö", "at least 3 characters"),
		Entry("too long", `{"type":"string","maxLength":1}`, "äö", "at most 1 characters"),
		Entry("that is not an email address", `{"type":"string","format":"email"}`, "notanemail", "it must be an email address, such as me@example.com"),
		Entry("with a name beside the email address", `{"type":"string","format":"email"}`, "Me <me@example.com>", "an email address"),
		Entry("without a scheme", `{"type":"string","format":"uri"}`, "example.com/a", "an address with its scheme"),
		Entry("that is not a day", `{"type":"string","format":"date"}`, "2023-02-29", "such as 2026-01-31"),
		Entry("without a zone", `{"type":"string","format":"date-time"}`, "2024-02-29T23:59:59", "a date and a time with its zone"),
		Entry("neither yes nor no", `{"type":"boolean"}`, "maybe", "yes or no"),
		Entry("with a fraction for an integer", `{"type":"integer"}`, "1.5", "without a fraction"),
		Entry("that is not a number in JSON", `{"type":"number"}`, "0x10", "a number"),
		Entry("below the minimum", `{"type":"number","minimum":2}`, "1", "2"),
		Entry("above the maximum", `{"type":"number","maximum":2}`, "3", "2"),
		Entry("that is not a choice", `{"type":"string","enum":["a"]}`, "b", `"b"`),
		Entry("with a part that is not a choice", `{"type":"array","items":{"enum":["a"]}}`, "a,b", `"b"`),
	)

	It("shows choices with their titles, cut", func() {
		titled := fieldOf(`{"type":"string","enum":["a","b"],"enumNames":["Alpha","b"]}`)
		Expect(titled.choices[0].line()).To(Equal("a: Alpha"))
		Expect(titled.choices[1].line()).To(Equal("b"))
		long := spec.Must(json.Marshal(strings.Repeat("x", maxTitle+1)))
		Expect(fieldOf(`{"type":"string","enum":[` + string(long) + `]}`).choices[0].line()).To(HaveSuffix("x… 1 more characters"))
	})
})
