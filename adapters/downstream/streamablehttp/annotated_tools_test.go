package streamablehttp_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A tool over http that wants arguments in headers", func() {
	// listed returns what becomes of a tool with that schema, and of one beside it.
	listed := func(version, schema string) domain.ToolList {
		GinkgoHelper()
		on := map[string]handler{"tools/list": func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"resultType":"complete","tools":[{"name":"a","inputSchema":`+schema+`},{"name":"b","inputSchema":{"type":"object"}}]}`)
		}}
		if version == "2026-07-28" {
			on["server/discover"] = func(w http.ResponseWriter, _ *http.Request, id string) {
				answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			}
		}
		list, err := connect(newRaw(on)).ListTools(context.Background())
		Expect(err).NotTo(HaveOccurred())
		return list
	}

	DescribeTable("is left out, with a warning, when the schema marks", func(schema, why string) {
		list := listed("2026-07-28", schema)

		Expect(list.Names()).To(Equal([]string{"b"}))
		Expect(list.Warnings).To(ConsistOf(And(
			HaveField("Kind", domain.ToolLeftOut), HaveField("Tool", "a"), HaveField("Detail", ContainSubstring(why)),
		)))
	},
		Entry("one with a name that is not valid for a header", `{"properties":{"x":{"type":"string","x-mcp-header":"My Region"}}}`, "My Region"),
		Entry("one that is not a primitive", `{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}`, "primitive types"),
		Entry("two with one name", `{"properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"x"}}}`, "duplicate"),
		Entry("all of them", `{"type":"object","x-mcp-header":"X"}`, "properties"),
		Entry("one inside an array", `{"properties":{"x":{"type":"array","items":{"type":"string","x-mcp-header":"X"}}}}`, "properties"),
		Entry("a property inside an array", `{"properties":{"x":{"items":{"properties":{"y":{"type":"string","x-mcp-header":"X"}}}}}}`, "properties"),
		Entry("one in a choice", `{"anyOf":[{"properties":{"x":{"type":"string","x-mcp-header":"X"}}}]}`, "properties"),
		Entry("one that is referred to", `{"$defs":{"x":{"type":"string","x-mcp-header":"X"}}}`, "properties"),
	)

	DescribeTable("is shown when", func(version, schema string) {
		list := listed(version, schema)

		Expect(list.Names()).To(Equal([]string{"a", "b"}))
		Expect(list.Warnings).To(BeEmpty())
	},
		Entry("they are in objects", "2026-07-28", `{"properties":{"x":{"type":"object","properties":{"y":{"type":"integer","x-mcp-header":"Y"}}}}}`),
		Entry("the word is only a name", "2026-07-28", `{"properties":{"x-mcp-header":{"type":"object"}},"$defs":{"x-mcp-header":{"type":"array"}}}`),
		Entry("the word is only data", "2026-07-28", `{"properties":{"x":{"type":"object","default":{"x-mcp-header":7},"enum":[{"x-mcp-header":1}]}}}`),
		Entry("the server speaks an older version, which does not know them", "2025-11-25", `{"properties":{"x":{"type":"number","x-mcp-header":""}}}`),
	)
})
