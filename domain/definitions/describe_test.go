package definitions_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/definitions"
)

var _ = Describe("A description for people", func() {
	It("has the whole text, and each parameter with its type, default and text", func() {
		described := definitions.Describe(toolOf(`{"name":"t","title":"The \u0007tool","description":"First. \nSecond.\n","inputSchema":` +
			`{"type":"object","required":["b"],"properties":{"a":{"type":"integer","default":3},` +
			`"b":{"description":"One.\nTwo.","$ref":"#/$defs/size"}},"$defs":{"size":{"enum":["s","m"]}}}}`))

		Expect(described.Title).To(Equal("The tool"))
		Expect(described.Text).To(Equal("First. \nSecond."))
		Expect(described.Signature).To(Equal(`t(a?: integer = 3, b: "s" | "m")`))
		Expect(described.Parameters).To(HaveExactElements(
			And(HaveField("Text", "a?: integer = 3"), HaveField("Required", false), HaveField("Description", "")),
			And(HaveField("Text", `b: "s" | "m"`), HaveField("Required", true), HaveField("Description", "One.\nTwo.")),
		))
	})

	It("has every member of nested objects, which a long signature leaves out", func() {
		tool := toolWith(withProperties(`"a":{"type":"object","properties":{"inner":{"type":"string"}}},` + long))

		described := definitions.Describe(tool)

		Expect(described.Signature).To(ContainSubstring("a: {…}"))
		Expect(described.Parameters[0].Text).To(Equal("a: {inner?: string}"))
	})

	It("has no parameters without a schema", func() {
		Expect(definitions.Describe(toolOf(`{"name":"t"}`)).Parameters).To(BeEmpty())
	})
})
