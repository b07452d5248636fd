package contract

import (
	"errors"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// DescribeCatalog registers the specs for a kind of catalog. NewCatalog returns a
// catalog of toolboxes with these names, in this order, each with a description and
// its own servers. Each spec calls it.
func DescribeCatalog(kind string, newCatalog func(names ...domain.ToolboxName) ports.Catalog) bool {
	// No sort gives this order.
	names := []domain.ToolboxName{"b", "Dev tools", "a", "dev.tools", "B", "ü"}

	return Describe("The catalog of "+kind+", like every other,", func() {
		It("keeps the order of the toolboxes", func() {
			Expect(namesIn(newCatalog(names...))).To(Equal(names))
		})

		It("finds each toolbox by its exact name", func() {
			catalog := newCatalog(names...)

			for i, name := range names {
				Expect(catalog.Toolbox(name)).To(Equal(catalog.Toolboxes()[i]))
			}
		})

		It("gives every server the name of its toolbox", func() {
			for _, toolbox := range newCatalog(names...).Toolboxes() {
				Expect(toolbox.Servers).NotTo(BeEmpty())
				for _, server := range toolbox.Servers {
					Expect(server.ID.Toolbox).To(Equal(toolbox.Name))
				}
			}
		})

		DescribeTable("does not find",
			func(name domain.ToolboxName) {
				_, err := newCatalog(names...).Toolbox(name)

				failure, ok := errors.AsType[*domain.ToolboxNotFoundError](err)
				Expect(ok).To(BeTrue(), "another kind of error: %v", err)
				Expect(failure).To(MatchError(domain.ErrToolboxNotFound))
				Expect(failure.Toolbox).To(Equal(name))
				Expect(failure.Available).To(Equal([]string{"b", "Dev tools", "a", "dev.tools", "B", "ü"}))
			},
			Entry("a name that is not configured", domain.ToolboxName("c")),
			Entry("a name in another case", domain.ToolboxName("A")),
			Entry("a name with an extra space", domain.ToolboxName("a ")),
			Entry("a part of a name", domain.ToolboxName("dev")),
			Entry("no name", domain.ToolboxName("")),
		)

		It("can be empty", func() {
			catalog := newCatalog()

			_, err := catalog.Toolbox("a")

			Expect(catalog.Toolboxes()).To(BeEmpty())
			failure, _ := errors.AsType[*domain.ToolboxNotFoundError](err)
			Expect(failure.Available).To(BeEmpty())
		})

		It("never changes, and is safe for concurrent use", func() {
			catalog := newCatalog(names...)
			before := catalog.Toolboxes()
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					defer GinkgoRecover()
					for _, name := range names {
						Expect(catalog.Toolbox(name)).To(HaveField("Name", name))
						_, err := catalog.Toolbox(name + "?")
						Expect(err).To(MatchError(domain.ErrToolboxNotFound))
					}
					Expect(namesIn(catalog)).To(Equal(names))
				})
			}
			wg.Wait()

			Expect(catalog.Toolboxes()).To(Equal(before))
		})
	})
}

func namesIn(catalog ports.Catalog) []domain.ToolboxName {
	var names []domain.ToolboxName
	for _, toolbox := range catalog.Toolboxes() {
		names = append(names, toolbox.Name)
	}
	return names
}
