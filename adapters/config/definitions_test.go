package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The setting definitions", func() {
	loadWith := func(text string, environ ...string) *config.Configuration {
		GinkgoHelper()
		configuration := spec.Must(config.Load(config.Options{Path: write("c.json", text), Environ: environ}, transports()))
		return configuration
	}

	It("is full by default, in answers of up to 16 KiB where the workbench chooses", func() {
		settings := load(withServer(`{"command":"x"}`)).Definitions

		Expect(settings.Form("a")).To(Equal(definitions.Full))
		Expect(settings.Budget).To(Equal(definitions.DefaultBudget))
		Expect(settings.Validation).To(Equal(definitions.ValidateUnseen))
	})

	DescribeTable("can be",
		func(form definitions.Form) {
			Expect(load(withRoot(`"definitions":"` + string(form) + `"`)).Definitions.Form("a")).To(Equal(form))
		},
		Entry(nil, definitions.Full),
		Entry(nil, definitions.Lean),
		Entry(nil, definitions.Compact),
		Entry(nil, definitions.Names),
		Entry(nil, definitions.Auto),
	)

	It("of a toolbox wins over that of the root and its variable", func() {
		configuration := loadWith(`{"definitions":"lean","limits":{"definitions":"8KiB"},"toolboxes":{
			"own":{"definitions":"names","mcpServers":{"s":{"command":"x"}}},
			"other":{"mcpServers":{"s":{"command":"x"}}}}}`, "WORKBENCH_DEFINITIONS=compact", "WORKBENCH_LIMITS_DEFINITIONS=4KiB")

		Expect(configuration.Definitions.Form("own")).To(Equal(definitions.Names))
		Expect(configuration.Definitions.Form("other")).To(Equal(definitions.Compact))
		Expect(configuration.Definitions.Budget).To(Equal(4 << 10))
		Expect(configuration.Warnings).To(BeEmpty())
	})

	It("means names when it is auto and tools are registered with their definitions", func() {
		configuration := loadWith(`{"definitions":"auto","toolMode":"dynamic","toolboxes":{}}`)

		Expect(configuration.Definitions.Form("any")).To(Equal(definitions.Names))
	})

	It("is refused when it is anything else, with the legal values", func() {
		const wanted = `want "full", "lean", "compact", "names" or "auto"`
		for _, value := range []string{`"short"`, `""`, `"Compact"`, `true`, `null`, `["lean"]`} {
			Expect(problemsOf(withRoot(`"definitions":`+value))).To(ConsistOf(
				And(ContainSubstring("definitions: found "), HaveSuffix(wanted))), value)
			Expect(problemsOf(`{"toolboxes":{"a":{"definitions":`+value+`,"mcpServers":{"s":{"command":"x"}}}}}`)).To(ConsistOf(
				And(ContainSubstring("toolboxes.a.definitions: found "), HaveSuffix(wanted))), value)
		}
	})

	It("leaves a toolbox out whose form is wrong, and no other, when the rest is used", func() {
		options := config.Options{Lenient: true, Path: write("c.json", `{"toolboxes":{
			"a":{"definitions":"tiny","mcpServers":{"s":{"command":"x"}}},"b":{"mcpServers":{"s":{"command":"x"}}}}}`)}

		configuration := spec.Must(config.Load(options, transports()))
		Expect(toolboxNames(configuration)).To(Equal([]string{"b"}))
	})
})

var _ = Describe("The setting validate", func() {
	DescribeTable("can be",
		func(value string, validation definitions.Validation) {
			Expect(load(withRoot(`"validate":` + value)).Definitions.Validation).To(Equal(validation))
			options := config.Options{WorkDir: GinkgoT().TempDir(), Environ: []string{"WORKBENCH_VALIDATE=" + value}}
			configuration := spec.Must(config.Load(options, transports()))
			Expect(configuration.Definitions.Validation).To(Equal(validation))
		},
		Entry(nil, "true", definitions.ValidateAll),
		Entry(nil, "false", definitions.ValidateNone),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"true"`, `1`, `null`, `"auto"`} {
			Expect(problemsOf(withRoot(`"validate":`+value))).To(ConsistOf(ContainSubstring("validate: found ")), value)
		}
	})
})

var _ = Describe("The default of limits.definitions", func() {
	It("is the budget that the forms are made for", func() {
		Expect(domain.DefaultLimits().Definitions).To(BeEquivalentTo(definitions.DefaultBudget))
	})
})
