package gosdk_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server made with the Go SDK", func() {
	DescribeTable("is opened and called, fails in its own words, and has prompts", func(way, transport string, modern bool) {
		far := Server{Name: "far", Settings: []string{`"url":` + Quote(start(way)), `"transport":"` + transport + `"`}}
		host := Connect(Start(Launch{Config: Configuration(NewToolbox("dev", far))}), modern, `{"elicitation":{}}`)
		opened := host.Open("dev")

		Expect(opened.Errors).To(BeEmpty())
		Expect(opened.Names()).To(ConsistOf("echo", "fail", "count", "ask"))
		Expect(opened.Instructions).To(MatchJSON(`{"far":"Say something."}`))
		Expect(host.Use("dev", "far", "echo", `{"message":"<&> ü \u2028"}`).Text()).To(ContainSubstring("ü"))
		Expect(host.Use("dev", "far", "fail", `{"message":"no luck"}`).Failure()).To(Equal("no luck"))
		Expect(string(host.Request("prompts/get", host.Params(`"name":"dev__far_greet","arguments":{"who":"Ada"}`)).Result)).To(
			ContainSubstring(`{"type":"text","text":"greet Ada"}`))
	},
		Entry("by streamable HTTP", "streamable", "http", true),
		Entry("by single objects", "objects", "http", false),
		Entry("without sessions", "stateless", "http", true),
		Entry("by the older transport", "sse", "sse", false),
	)
})
