package domain_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A yes to a call", func() {
	question := domain.ConfirmationQuestion{
		Tool:      domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "delete"},
		Arguments: json.RawMessage(`{"path":"/a"}`),
	}
	definition := json.RawMessage(`{"name":"delete"}`)
	yes := domain.NewConfirmation(question, definition)
	other := question.Tool
	other.Server = "mail"

	DescribeTable("covers the call that was asked about, and no other",
		func(yes *domain.Confirmation, tool domain.ToolIdentifier, definition, arguments string, covers bool) {
			Expect(yes.Covers(tool, json.RawMessage(definition), json.RawMessage(arguments))).To(Equal(covers))
		},
		Entry("itself", yes, question.Tool, string(definition), `{"path":"/a"}`, true),
		Entry("of another tool", yes, other, string(definition), `{"path":"/a"}`, false),
		Entry("of another definition", yes, question.Tool, `{"name": "delete"}`, `{"path":"/a"}`, false),
		Entry("with other arguments", yes, question.Tool, string(definition), `{"path":"/b"}`, false),
		Entry("with other bytes", yes, question.Tool, string(definition), `{"path": "/a"}`, false),
		Entry("without a definition", nil, question.Tool, string(definition), `{"path":"/a"}`, false),
	)
})
