package application_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
)

// configuredCatalog is a catalog in memory.
type configuredCatalog struct {
	toolboxes []domain.Toolbox
	problems  []domain.ConfigurationProblem
}

func (c configuredCatalog) Toolboxes() []domain.Toolbox { return c.toolboxes }

func (c configuredCatalog) Disabled() []domain.Toolbox { return nil }

func (c configuredCatalog) Problems() []domain.ConfigurationProblem { return c.problems }

func (configuredCatalog) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	return domain.Toolbox{}, &domain.ToolboxNotFoundError{Toolbox: name}
}

var _ = Describe("Building instructions", func() {
	toolboxes := []domain.Toolbox{{Name: "web", Description: "For pages"}, {Name: "dev"}}
	mistake := domain.ConfigurationProblem{Toolbox: "ops", Text: "toolboxes.ops: not an object"}
	broken := domain.ConfigurationProblem{All: true, Text: "limits: not an object"}
	untrusted := domain.ConfigurationProblem{Untrusted: true, Text: "./workbench-config.json is not trusted"}
	another := domain.ConfigurationProblem{Untrusted: true, Text: "./more.json is not trusted"}

	build := func(problems ...domain.ConfigurationProblem) domain.Instructions {
		catalog := configuredCatalog{toolboxes: toolboxes, problems: problems}
		return application.NewInstructionsBuilder(catalog, application.NewDescriptions(nil, nil)).BuildInstructions()
	}

	It("tells of the toolboxes in the order of the configuration", func() {
		Expect(build()).To(Equal(domain.Instructions{Toolboxes: toolboxes}))
	})

	It("tells files that are not trusted, each once, from mistakes", func() {
		built := build(mistake, untrusted, another, broken, untrusted)

		Expect(built.Untrusted).To(Equal([]string{untrusted.Text, another.Text}))
		Expect(built.Mistakes).To(Equal([]domain.ConfigurationProblem{mistake, broken}))
	})

	It("tells a host of nothing that it cannot see", func() {
		current := application.NewCurrent(application.Configuration{Catalog: configuredCatalog{toolboxes: toolboxes, problems: []domain.ConfigurationProblem{mistake}}})

		Expect(application.NewInstructionsBuilder(current.Limited([]domain.ToolboxName{"dev"}), application.NewDescriptions(nil, nil)).BuildInstructions()).To(Equal(
			domain.Instructions{Toolboxes: toolboxes[1:]}))
	})
})
