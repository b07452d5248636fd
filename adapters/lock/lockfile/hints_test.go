package lockfile_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

var _ = Describe("The annotations of a definition", func() {
	DescribeTable("are hints where they are exactly true or false", func(members string, expected domain.Hints) {
		definitions := lockfile.NewDefinitions()
		tool := domain.ToolInfo{Name: "a", Definition: json.RawMessage(`{"name":"a"` + members + `}`)}

		Expect(definitions.Hints(definitions.Pin(tool, domain.PinDefinition))).To(Equal(expected))
	},
		Entry("read-only", `,"annotations":{ "readOnlyHint" : true}`, domain.Hints{ReadOnly: true}),
		Entry("not destructive", `,"annotations":{"destructiveHint":false,"title":"A"}`, domain.Hints{NotDestructive: true}),
		Entry("both", `,"annotations":{"destructiveHint":false,"readOnlyHint":true}`, domain.Hints{ReadOnly: true, NotDestructive: true}),
		Entry("neither", `,"annotations":{"destructiveHint":true,"readOnlyHint":false}`, domain.Hints{}),
		Entry("written with escapes", `,"annotations":{"read\u004fnlyHint":true}`, domain.Hints{ReadOnly: true}),
		Entry("no annotations", ``, domain.Hints{}),
		Entry("annotations that are not an object", `,"annotations":["readOnlyHint"]`, domain.Hints{}),
		Entry("annotations that are null", `,"annotations":null`, domain.Hints{}),
		Entry("another case", `,"annotations":{"readonlyhint":true},"Annotations":{"readOnlyHint":true}`, domain.Hints{}),
		Entry("texts", `,"annotations":{"readOnlyHint":"true","destructiveHint":"false"}`, domain.Hints{}),
		Entry("numbers", `,"annotations":{"readOnlyHint":1,"destructiveHint":0}`, domain.Hints{}),
		Entry("twice", `,"annotations":{"readOnlyHint":false,"readOnlyHint":true}`, domain.Hints{}),
		Entry("two annotations", `,"annotations":{"readOnlyHint":true},"annotations":{}`, domain.Hints{}),
		Entry("deeper", `,"annotations":{"x":{"readOnlyHint":true}},"readOnlyHint":true`, domain.Hints{}),
	)
})
