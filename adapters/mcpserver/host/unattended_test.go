package host_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("A host without a user and a model", func() {
	It("declares all capabilities, or none", func() {
		var declared map[string]any
		Expect(json.Unmarshal(host.Unattended{IsCapable: true}.Capabilities(), &declared)).To(Succeed())
		Expect(declared).To(And(HaveLen(4), HaveKey("roots"), HaveKey("sampling"), HaveKey("elicitation"), HaveKey("tasks")))
		Expect(string(host.Unattended{}.Capabilities())).To(Equal("{}"))
	})

	DescribeTable("answers", func(ctx SpecContext, method, want string) {
		replies := 0
		host.Unattended{IsCapable: true}.Request(ctx, domain.ServerID{}, ports.Message{Method: method}, func(answer ports.Answer, err error) {
			replies++
			Expect(err).NotTo(HaveOccurred())
			Expect(string(answer.Result) + string(answer.Error)).To(Equal(want))
		})
		Expect(replies).To(Equal(1))
	},
		Entry("that it has no roots", "roots/list", `{"roots":[]}`),
		Entry("that the user declines", "elicitation/create", `{"action":"decline"}`),
		Entry("that there is no model", "sampling/createMessage", `{"code":-1,"message":"no model is there to answer"}`),
		Entry("that it knows nothing else", "tasks/list", `{"code":-32601,"message":"no host is there to answer"}`),
	)
})
