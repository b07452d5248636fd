package finding_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/finding"
)

// foundNames returns the names of the tools that a query finds, in their order.
func foundNames(query string, tools ...finding.Tool) []string {
	names := []string{}
	for _, match := range finding.NewIndex(tools).Search(query, 8) {
		names = append(names, tools[match.Tool].Name)
	}
	return names
}

func namedTools(names ...string) (tools []finding.Tool) {
	for _, name := range names {
		tools = append(tools, finding.Tool{Name: name})
	}
	return tools
}

var _ = Describe("A search for tools", func() {
	DescribeTable("finds a tool by words of its name, however the name joins them",
		func(query, name string) {
			Expect(foundNames(query, namedTools("other", name, "another")...)).To(Equal([]string{name}))
		},
		Entry("with underscores", "file search", "search_files"),
		Entry("with hyphens", "searching files", "search-files"),
		Entry("in camel case", "search a file", "searchFiles"),
		Entry("with an abbreviation", "parse html", "HTMLParser"),
		Entry("with digits", "r2 buckets", "r2_list_buckets"),
		Entry("of stop words only", "who am i", "whoAmI"),
		Entry("in Cyrillic", "ФАЙЛ", "открыть_файл"),
		Entry("in Greek", "αρχείο", "Αρχείο"),
		Entry("in Chinese", "读取文件", "文件"),
		Entry("in Japanese", "ファイルを読む", "ファイル"),
		Entry("in Thai", "เปิดไฟล์", "ไฟล์"),
		Entry("with other marks for the same letters", "re\u0301sume", "resume"),
		Entry("by a verb that means the same", "remove", "delete"),
	)

	It("finds tools by titles, descriptions, parameters, places and what toolboxes are for", func() {
		for _, tool := range []finding.Tool{
			{Title: "Weather"},
			{Description: "Tells the weather."},
			{Parameters: []string{"city", "weather"}},
			{Place: "home weather"},
			{About: "All about weather"},
		} {
			tool.Name = "x"
			Expect(foundNames("weather", finding.Tool{Name: "y"}, tool)).To(Equal([]string{"x"}))
		}
	})

	It("ranks a name before a description, a rare word before a common one, and equal tools in their order", func() {
		Expect(foundNames("deploy", finding.Tool{Name: "a", Description: "deploy it"}, finding.Tool{Name: "deploy"})).To(Equal([]string{"deploy", "a"}))
		Expect(foundNames("issue label", namedTools("issue_a", "issue_b", "label_c")...)).To(Equal([]string{"label_c", "issue_a", "issue_b"}))
	})

	It("finds nothing without a word of a tool", func() {
		for _, query := range []string{"", " \t\n", "?!", "\x00\xff", "zebra", strings.Repeat("zebra ", 2000)} {
			Expect(foundNames(query, namedTools("read", "write")...)).To(BeEmpty())
		}
		Expect(foundNames("read")).To(BeEmpty())
	})

	It("returns no more than it was asked for among 5,000 tools of one word, and reads only the start of long queries", func() {
		index := finding.NewIndex(manyTools(5000, func(int) string { return "search" }))
		matches := index.Search("search "+strings.Repeat("more and ", 1200), 8)
		Expect(matches).To(HaveLen(8))
		for i, match := range matches {
			Expect(match.Tool).To(Equal(i))
		}
	})
})

var _ = Describe("A definition", func() {
	It("is read for a search", func() {
		tool := finding.Read([]byte(`{"name":"n","title":"t","description":"d","inputSchema":{"properties":{"p":{},"q":true}}}`))
		Expect(tool).To(Equal(finding.Tool{Name: "n", Title: "t", Description: "d", Parameters: []string{"p", "q"}}))
		Expect(finding.Read([]byte(`{"name":"n","annotations":{"title":"t"}}`)).Title).To(Equal("t"))
	})

	It("may have any types", func() {
		for _, definition := range []string{
			`{}`, `{"name":1,"title":[],"description":{},"annotations":3,"inputSchema":[]}`, `{"inputSchema":{"properties":[1]},"annotations":{"title":{}}}`,
		} {
			Expect(finding.Read([]byte(definition))).To(Equal(finding.Tool{}))
		}
	})
})

func manyTools(count int, name func(int) string) []finding.Tool {
	tools := make([]finding.Tool, count)
	for i := range tools {
		tools[i] = finding.Tool{
			Name: name(i), Description: fmt.Sprintf("Lists the items of project %d and returns those that were changed last.", i%97),
			Parameters: []string{"owner", "project", "since"}, Place: fmt.Sprintf("box%d server%d", i%7, i%40),
		}
	}
	return tools
}
