package definitions_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

var _ = Describe("Settings", func() {
	boxes := []domain.Toolbox{{Name: "a"}, {Name: "b"}}

	It("are full and check nothing when nothing is said", func() {
		var settings definitions.Settings

		Expect(settings.Form("a")).To(Equal(definitions.Full))
		Expect(settings.AllFull(boxes)).To(BeTrue())
		Expect(settings.ChecksCalls(boxes)).To(BeFalse())
	})

	It("let a toolbox differ from the others", func() {
		settings := definitions.Settings{
			Default: definitions.Compact, ByToolbox: map[domain.ToolboxName]definitions.Form{"b": definitions.Lean},
		}

		Expect(settings.Form("a")).To(Equal(definitions.Compact))
		Expect(settings.Form("b")).To(Equal(definitions.Lean))
		Expect(settings.Used(boxes)).To(Equal([]definitions.Form{definitions.Lean, definitions.Compact}))
		Expect(settings.AllFull(boxes)).To(BeFalse())
	})

	It("do not count a form that no toolbox has", func() {
		settings := definitions.Settings{
			Default:   definitions.Names,
			ByToolbox: map[domain.ToolboxName]definitions.Form{"a": definitions.Full, "b": definitions.Full},
		}

		Expect(settings.AllFull(boxes)).To(BeTrue())
		Expect(settings.ChecksCalls(boxes)).To(BeFalse())
	})

	It("take auto for names where tools are registered with their definitions", func() {
		Expect(definitions.Settings{Default: definitions.Auto}.Form("a")).To(Equal(definitions.Auto))
		Expect(definitions.Settings{Default: definitions.Auto, Registered: true}.Form("a")).To(Equal(definitions.Names))
		Expect(definitions.Settings{Default: definitions.Lean, Registered: true}.Form("a")).To(Equal(definitions.Lean))
	})

	DescribeTable("say whether calls are checked",
		func(form definitions.Form, validation definitions.Validation, checks bool) {
			Expect(definitions.Settings{Default: form, Validation: validation}.ChecksCalls(boxes)).To(Equal(checks))
		},
		Entry(nil, definitions.Full, definitions.ValidateUnseen, false),
		Entry(nil, definitions.Lean, definitions.ValidateUnseen, false),
		Entry(nil, definitions.Compact, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Names, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Auto, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Auto, definitions.ValidateNone, false),
		Entry(nil, definitions.Full, definitions.ValidateAll, true),
	)
})
