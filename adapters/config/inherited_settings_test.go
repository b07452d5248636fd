package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A setting that a server, its toolbox and the root may have", func() {
	// found returns it for every server of a configuration.
	found := func(setting func(domain.Server) any, content string) (values []any) {
		GinkgoHelper()
		for _, toolbox := range load(content).Catalog.Toolboxes() {
			for _, server := range toolbox.Servers {
				values = append(values, setting(server))
			}
		}
		return values
	}
	start := func(s domain.Server) any { return s.Start }
	results := func(s domain.Server) any { return s.Results }

	DescribeTable("has a default", func(setting func(domain.Server) any, standard any) {
		Expect(found(setting, withServer(`{"command":"x"}`))).To(HaveExactElements(standard))
	},
		Entry("start", start, domain.StartOnOpen),
		Entry("results", results, domain.ResultsWhole),
	)

	DescribeTable("is up to the server, then its toolbox, then the root, in whatever order the file has them",
		func(setting func(domain.Server) any, ofServer, ofToolbox, ofRoot string, values ...any) {
			Expect(found(setting, `{"toolboxes":{
				"a":{"mcpServers":{"s":{"command":"x"},"t":{"command":"x",`+ofServer+`}},`+ofToolbox+`},
				"b":{"mcpServers":{"s":{"command":"x"}}}
			},`+ofRoot+`}`)).To(HaveExactElements(values...))
		},
		Entry("start", start, `"start":"open"`, `"start":"connect"`, `"start":"lazy"`, domain.StartOnConnect, domain.StartOnOpen, domain.StartLazily),
		Entry("results", results, `"results":"fit"`, `"results":"whole"`, `"results":"fit"`, domain.ResultsWhole, domain.ResultsFit, domain.ResultsFit),
	)

	DescribeTable("is refused when it is anything else",
		func(key, wanted string) {
			for content, place := range map[string]string{
				withRoot(`"` + key + `":"soon"`): `: ` + key + `: found "soon"`,
				`{"toolboxes":{"dev":{"` + key + `":true,"mcpServers":{"fs":{"command":"x"}}}}}`: `: toolboxes.dev.` + key + `: found true`,
				withServer(`{"command":"x","` + key + `":""}`):                                   `.fs.` + key + `: found ""`,
			} {
				Expect(problemsOf(content)).To(ConsistOf(HaveSuffix(place + `, want ` + wanted)))
			}
		},
		Entry("start", "start", `"open", "connect", "lazy" or "use"`),
		Entry("results", "results", `"whole" or "fit"`),
	)
})
