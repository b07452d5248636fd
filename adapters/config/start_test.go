package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("When a server is started", func() {
	// starts returns it for every server of a configuration.
	starts := func(content string, environ ...string) []domain.StartMode {
		GinkgoHelper()
		var modes []domain.StartMode
		for _, toolbox := range load(content, environ...).Catalog.Toolboxes() {
			for _, server := range toolbox.Servers {
				modes = append(modes, server.Start)
			}
		}
		return modes
	}

	It("happens when its toolbox is opened, unless it is set", func() {
		Expect(starts(withServer(`{"command":"x"}`))).To(Equal([]domain.StartMode{domain.StartOnOpen}))
	})

	It("is up to the server, then its toolbox, then the root, in whatever order the file has them", func() {
		Expect(starts(`{"toolboxes":{
			"a":{"mcpServers":{"s":{"command":"x"},"t":{"command":"x","start":"open"}},"start":"connect"},
			"b":{"mcpServers":{"s":{"command":"x"}}}
		},"start":"lazy"}`)).To(Equal([]domain.StartMode{domain.StartOnConnect, domain.StartOnOpen, domain.StartLazily}))
	})

	DescribeTable("is refused when it is anything else",
		func(content, place string) {
			Expect(problemsOf(content)).To(ConsistOf(HaveSuffix(place + `, want "open", "connect" or "lazy"`)))
		},
		Entry("at the root", withRoot(`"start":"soon"`), `: start: found "soon"`),
		Entry("in a toolbox", `{"toolboxes":{"dev":{"start":true,"mcpServers":{"fs":{"command":"x"}}}}}`, `: toolboxes.dev.start: found true`),
		Entry("in a server", withServer(`{"command":"x","start":""}`), `.fs.start: found ""`),
	)
})
