package arguments_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
)

func fixedPath(value string) domain.ToolAdjustment {
	return domain.ToolAdjustment{
		Fixed: []domain.FixedArgument{{Name: "path", Value: json.RawMessage(value)}}, Hidden: []string{"debug"},
	}
}

func adjusted(entry domain.ToolAdjustment, definition string) domain.ToolInfo {
	return arguments.AdjustTool(domain.ToolAdjustments{"t": entry}, domain.ToolInfo{Name: "t", Definition: json.RawMessage(definition)})
}

var _ = Describe("An adjusted definition", func() {
	DescribeTable("loses what a model must not set, and keeps its other bytes", func(before, after string) {
		tool := adjusted(fixedPath(`"/a"`), before)
		Expect(string(tool.Definition)).To(Equal(after))
		Expect(string(tool.Own())).To(Equal(before))
	},
		Entry("first and last members",
			`{"z":1, "inputSchema": {"properties": { "path" : {}, "n":{ } , "debug":{}}, "required":["path" , "n"]},"outputSchema":{} }`,
			`{"z":1, "inputSchema": {"properties": { "n":{ } }, "required":[ "n"]},"outputSchema":{} }`),
		Entry("an escaped name, listed twice",
			`{"inputSchema":{"properties":{"p\u0061th":{},"path":{}},"type":"object"}}`, `{"inputSchema":{"properties":{},"type":"object"}}`),
		Entry("a list of required parameters that becomes empty",
			`{"inputSchema":{"required":["path"],"type":"object"}}`, `{"inputSchema":{"type":"object"}}`),
		Entry("a list that was empty", `{"inputSchema":{"required":[ ]}}`, `{"inputSchema":{"required":[ ]}}`),
		Entry("only the parameters themselves",
			`{"inputSchema":{"properties":{"o":{"properties":{"path":{}},"required":["path"],"$ref":"#/$defs/x"}},"$defs":{"path":{}}}}`,
			`{"inputSchema":{"properties":{"o":{"properties":{"path":{}},"required":["path"],"$ref":"#/$defs/x"}},"$defs":{"path":{}}}}`),
		Entry("no schema", `{"name":"t"}`, `{"name":"t"}`),
	)

	It("has another title and description, each time that it is listed", func() {
		title, description := "Files", "Lists \"files\"."
		entry := domain.ToolAdjustment{Title: &title, Description: &description}
		Expect(string(adjusted(entry, `{"description":"a", "x":1,"description":"b"}`).Definition)).To(
			Equal(`{"title":"Files","description":"Lists \"files\".", "x":1,"description":"Lists \"files\"."}`))
	})

	It("is the server's own without an entry", func() {
		tool := domain.ToolInfo{Name: "other", Definition: json.RawMessage(`{}`)}
		Expect(arguments.AdjustTool(domain.ToolAdjustments{"t": {}}, tool)).To(Equal(tool))
	})
})

var _ = Describe("Adjusted arguments", func() {
	const definition = `{"inputSchema":{"properties":{"path":{},"Path":{},"debug":{}}}}`
	DescribeTable("have the fixed values, whatever a model sends", func(sent, want string) {
		Expect(string(arguments.Adjusted(adjusted(fixedPath(`"/a"`), definition), json.RawMessage(sent)))).To(Equal(want))
	},
		Entry("nothing", ``, `{"path":"/a"}`),
		Entry("null", `null`, `{"path":"/a"}`),
		Entry("an empty object", `{ }`, `{ "path":"/a"}`),
		Entry("other arguments", `{"n": 1.0 }`, `{"n": 1.0 ,"path":"/a"}`),
		Entry("duplicates and escapes", `{"path":1,"n":[1, 2],"p\u0061th":2,"path":3}`, `{"n":[1, 2],"path":"/a"}`),
		Entry("a hidden argument", `{"debug":true}`, `{"path":"/a"}`),
		Entry("another case", `{"PATH":1,"Debug":2}`, `{"path":"/a"}`),
		Entry("a parameter that differs in case", `{"Path":1}`, `{"Path":1,"path":"/a"}`),
		Entry("a list", `[1]`, `{"path":"/a"}`),
	)

	It("are shown without secrets", func() {
		tool := adjusted(fixedPath(`{"a":["/secret"]}`), definition)
		hide := func(text string) string { return strings.ReplaceAll(text, "secret", "***") }
		Expect(string(arguments.Redacted(tool, json.RawMessage(`{}`), hide))).To(Equal(`{"path":{"a":["/***"]}}`))
	})
})

var _ = Describe("Mistakes in adjustments", func() {
	It("are named", func() {
		tools := []domain.ToolInfo{{Name: "read", Shown: "read", Definition: json.RawMessage(`{}`)}, {Name: "t", Definition: json.RawMessage(
			`{"inputSchema":{"type":"object","properties":{"path":{"type":"string"},"need":{}},"required":["need"]}}`)}}
		adjustments := domain.ToolAdjustments{"gone": {}, "reads": {}, "t": {
			Fixed:  []domain.FixedArgument{{Name: "no", Value: []byte("1")}, {Name: "path", Value: []byte("1")}, {Name: "paths", Value: []byte("1")}},
			Hidden: []string{"need", "none", "neeed"},
		}}
		var found []string
		for _, warning := range arguments.CheckAdjustments(adjustments, tools) {
			found = append(found, warning.Tool+": "+warning.Detail)
		}
		Expect(found).To(Equal([]string{
			"gone: the server does not list it",
			"reads: the server does not list it; did you mean 'read'?",
			`t: "fixed" names 'no', which is not a parameter`,
			`t: "fixed" names 'paths', which is not a parameter; did you mean 'path'?`,
			`t: "hidden" names 'need', which is required; "fixed" gives it a value`,
			`t: "hidden" names 'none', which is not a parameter`,
			`t: "hidden" names 'neeed', which is not a parameter; did you mean 'need'?`,
			`t: "fixed" has a value that the schema forbids: 'path' must be a string`,
		}))
	})
})
