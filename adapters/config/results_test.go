package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("How much of long results is shown", func() {
	// modes returns it for every server of a configuration.
	modes := func(content string, environ ...string) []domain.ResultsMode {
		GinkgoHelper()
		var found []domain.ResultsMode
		for _, toolbox := range load(content, environ...).Catalog.Toolboxes() {
			for _, server := range toolbox.Servers {
				found = append(found, server.Results)
			}
		}
		return found
	}

	It("is the whole, unless it is set", func() {
		Expect(modes(withServer(`{"command":"x"}`))).To(Equal([]domain.ResultsMode{domain.ResultsWhole}))
	})

	It("is up to the server, then its toolbox, then the root, in whatever order the file has them", func() {
		Expect(modes(`{"toolboxes":{
			"a":{"mcpServers":{"s":{"command":"x"},"t":{"command":"x","results":"fit"}},"results":"whole"},
			"b":{"mcpServers":{"s":{"command":"x"}}}
		},"results":"fit"}`)).To(Equal([]domain.ResultsMode{domain.ResultsWhole, domain.ResultsFit, domain.ResultsFit}))
	})

	DescribeTable("is refused when it is anything else",
		func(content, place string) {
			Expect(problemsOf(content)).To(ConsistOf(HaveSuffix(place + `, want "whole" or "fit"`)))
		},
		Entry("at the root", withRoot(`"results":"short"`), `: results: found "short"`),
		Entry("in a toolbox", `{"toolboxes":{"dev":{"results":true,"mcpServers":{"fs":{"command":"x"}}}}}`, `: toolboxes.dev.results: found true`),
		Entry("in a server", withServer(`{"command":"x","results":""}`), `.fs.results: found ""`),
	)
})
