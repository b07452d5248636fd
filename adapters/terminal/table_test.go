package terminal_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

var _ = Describe("A table", func() {
	table := terminal.Table{Headings: []string{"NAME", "TEXT"}, Rows: [][]string{{"a", "one two three"}, {"long", "x\ty"}}}
	printed := func(columns int) string {
		var out strings.Builder
		Expect(table.Print(&out, columns, strings.ToLower)).To(Succeed())
		return out.String()
	}

	It("is aligned and cut on a terminal, and plain elsewhere", func() {
		Expect(printed(16)).To(Equal("name  text\na     one two t…\nlong  x y\n"))
		Expect(printed(0)).To(Equal("a\tone two three\nlong\tx y\n"))
	})

	It("cuts the widest column when the last one has its minimum width", func() {
		wide := terminal.Table{Headings: []string{"TOOLBOX", "SERVER", "TEXT"}, Rows: [][]string{{"a toolbox of a long name", "server", "one two three"}}}
		var out strings.Builder
		Expect(wide.Print(&out, 30, strings.ToLower)).To(Succeed())
		Expect(out.String()).To(Equal("toolbox       server  text\na toolbox o…  server  one two…\n"))
	})

	It("keeps the minimum width of columns in a narrow terminal", func() {
		Expect(printed(3)).To(Equal("name  text\na     one two…\nlong  x y\n"))
	})
})
