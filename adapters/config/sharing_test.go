package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The key shared of a server", func() {
	DescribeTable("says whether hosts have one session with it",
		func(member string, shared bool) {
			configuration := load(withServer(`{"command":"x","idleTimeout":5,"start":"lazy"` + member + `}`))
			Expect(configuration.Catalog.Toolboxes()[0].Servers[0].Shared).To(Equal(shared))
		},
		Entry("they do not, when it is not given", ``, false),
		Entry("they do not", `,"shared":false`, false),
		Entry("they do", `,"shared":true`, true),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"true"`, `1`, `null`, `[true]`, `{}`} {
			Expect(problemsOf(withServer(`{"command":"x","shared":`+value+`}`))).To(ConsistOf(
				MatchRegexp(`\.fs\.shared: found .*, want true or false`)), value)
		}
	})

	It("is a key of servers only", func() {
		Expect(problemsOf(withRoot(`"shared":true`))).To(ConsistOf(ContainSubstring(`shared: unknown key "shared"`)))
		Expect(problemsOf(`{"toolboxes":{"dev":{"shared":true,"mcpServers":{"fs":{"command":"x"}}}}}`)).To(ConsistOf(
			ContainSubstring(`toolboxes.dev.shared: unknown key "shared"`)))
	})
})
