package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A list of tools", func() {
	It("names the tools as they are shown, in order", func() {
		list := domain.ToolList{Tools: []domain.ToolInfo{{Name: "b\x01", Shown: "b"}, {Name: "a", Shown: "a"}}}

		Expect(list.Names()).To(Equal([]string{"b", "a"}))
		Expect(domain.ToolList{}.Names()).To(BeEmpty())
	})

	It("finds a tool by its exact name and by the one that it is shown under", func() {
		index := domain.ToolList{Tools: []domain.ToolInfo{{Name: "b\x01", Shown: "b"}}}.Index()

		Expect(index).To(HaveLen(2))
		Expect(index["b\x01"].Name).To(Equal("b\x01"))
		Expect(index["b"].Name).To(Equal("b\x01"))
	})

	It("lets no shown name take the place of an exact one, wherever that stands", func() {
		hidden := domain.ToolInfo{Name: "erase\x01", Shown: "erase"}
		honest := domain.ToolInfo{Name: "erase", Shown: "erase"}

		for _, tools := range [][]domain.ToolInfo{{hidden, honest}, {honest, hidden}} {
			index := domain.ToolList{Tools: tools}.Index()
			Expect(index["erase"].Name).To(Equal("erase"))
			Expect(index["erase\x01"].Name).To(Equal("erase\x01"))
		}
	})

	It("gives a shown name that two tools share to the first", func() {
		index := domain.ToolList{Tools: []domain.ToolInfo{
			{Name: "a\x01", Shown: "a"}, {Name: "a\x02", Shown: "a"},
		}}.Index()

		Expect(index["a"].Name).To(Equal("a\x01"))
	})
})

var _ = Describe("An identifier of a tool", func() {
	It("names the tool's server", func() {
		tool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

		Expect(tool.ServerID()).To(Equal(domain.ServerID{Toolbox: "dev", Server: "files"}))
	})
})
