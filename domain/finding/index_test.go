package finding_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/finding"
	"mcp-workbench/tests/spec"
)

// foundNames returns the names of the tools that a query finds, in their order.
func foundNames(query string, tools ...finding.Tool) []string {
	names := []string{}
	for _, match := range finding.NewIndex(tools).Search(query, 8).Matches {
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
		matches := index.Search("search "+strings.Repeat("more and ", 1200), 8).Matches
		Expect(matches).To(HaveLen(8))
		for i, match := range matches {
			Expect(match.Tool).To(Equal(i))
		}
	})
})

var _ = Describe("A search that names tools", func() {
	const others = 9
	tools := func(names ...string) (tools []finding.Tool) {
		for i := range others {
			tools = append(tools, finding.Tool{Name: fmt.Sprintf("search_graph_code_%d", i), Description: "Search code, graph, search_code, search_graph."})
		}
		return append(tools, namedTools(names...)...)
	}

	DescribeTable("finds exactly these, first and in the order of their names", func(query string, names ...string) {
		found := foundNames(query, tools("search_code", "searchGraph", "search-all", "find")...)
		Expect(found[:len(names)]).To(Equal(names))
	},
		Entry("with underscores", "search_graph, search_code", "searchGraph", "search_code"),
		Entry("with hyphens", "`search-code`", "search_code"),
		Entry("with blanks in a sentence", "please search all and search graph", "search-all", "searchGraph"),
		Entry("in capitals", "SEARCH_CODE", "search_code"),
		Entry("in camel case", "searchCode", "search_code"),
		Entry("a name of one word among names only", "find and search_all", "find", "search-all"),
	)

	It("takes a name of one word for a word beside other words, unless its server is named or no other tool has it", func() {
		all := []finding.Tool{{Name: "find", Place: "dev mongo"}, {Name: "find_place", Place: "dev maps"}, {Name: "hover", Place: "dev browser"}}
		Expect(foundNames("find a place", all...)).To(Equal([]string{"find_place", "find"}))
		Expect(foundNames("mongo/find a place", all...)[0]).To(Equal("find"))
		Expect(foundNames("mongo find a place", all...)[0]).To(Equal("find"))
		Expect(foundNames("hover place", all...)[0]).To(Equal("hover"))
	})

	It("finds a name on all servers, or only on one that the query names", func() {
		all := []finding.Tool{{Name: "create_issue", Place: "dev github"}, {Name: "create_issue", Place: "ops gitlab"}, {Name: "create_branch", Place: "dev github"}}
		at := func(query string, limit int) (tools []int) {
			for _, match := range finding.NewIndex(all).Search(query, limit).Matches {
				tools = append(tools, match.Tool)
			}
			return tools
		}
		Expect(at("create issue", 1)).To(Equal([]int{0, 1}), "beyond the limit")
		Expect(at("gitlab/create_issue", 1)).To(Equal([]int{1}))
		Expect(at("ops/gitlab/create-issue", 1)).To(Equal([]int{1}))
		Expect(at("gitlab create issue", 1)).To(Equal([]int{1}))
		Expect(at("elsewhere/create_issue", 1)).To(Equal([]int{0, 1}))
	})

	It("finds twenty of them, and others only while there is room", func() {
		var names []string
		for i := range 30 {
			names = append(names, fmt.Sprintf("a_tool_%d", i))
		}
		found := finding.NewIndex(namedTools(names...)).Search(strings.Join(names, " "), 8)
		Expect(found.Matches).To(HaveLen(20))
		Expect(found.Rest).To(HaveLen(10))
		Expect(foundNames(names[7], namedTools(names...)...)).To(And(HaveLen(8), HaveExactElements(append([]any{names[7]}, slices.Repeat([]any{Not(Equal(names[7]))}, 7)...)...)))
	})
})

var _ = Describe("A word that no tool has", func() {
	search := func(query string, names ...string) finding.Found {
		return finding.NewIndex(namedTools(names...)).Search(query, 8)
	}

	DescribeTable("is looked for with another spelling and named", func(query, near string, tools ...string) {
		found := search(query, "list_collections", "take_snapshot", "merge_queue", "read_encyclopedia", "requests_of_mergers")
		var names []string
		for _, match := range found.Matches {
			names = append(names, []string{"list_collections", "take_snapshot", "merge_queue", "read_encyclopedia", "requests_of_mergers"}[match.Tool])
		}
		Expect(names).To(Equal(tools))
		Expect(found.Absent).To(Equal([]finding.Absent{{Word: strings.Fields(query)[0], Near: []string{near}}}))
	},
		Entry("a letter wrong", "cullections", "collections", "list_collections"),
		Entry("a letter missing", "colections", "collections", "list_collections"),
		Entry("a letter added", "collecttions", "collections", "list_collections"),
		Entry("two letters swapped", "colletcions", "collections", "list_collections"),
		Entry("two errors in eight letters and more", "colectoins", "collections", "list_collections"),
		Entry("a beginning", "ency", "encyclopedia", "read_encyclopedia"),
		Entry("joined", "mergequeue", "merge queue", "merge_queue", "requests_of_mergers"),
		Entry("split", "snap shot", "snapshot", "take_snapshot"),
	)

	It("counts half of a word that is spelled as tools spell it", func() {
		all := namedTools("read_page", "read_site")
		right, wrong := finding.NewIndex(all).Search("page", 8).Matches[0], finding.NewIndex(all).Search("pagge", 8).Matches[0]
		Expect(wrong.Tool).To(Equal(right.Tool))
		Expect(wrong.Score).To(BeNumerically("~", right.Score/2, 1e-9))
	})

	It("is named without another spelling if nothing is near", func() {
		Expect(search("send zebra zebras with 2026 读", "send_email").Absent).To(Equal([]finding.Absent{{Word: "zebra"}}))
		Expect(search("a message", "send_email").Absent).To(BeEmpty(), "since it has a synonym")
		Expect(search("zoo", "zoom_in").Absent).To(Equal([]finding.Absent{{Word: "zoo"}}), "three letters are too few for a guess")
	})
})

var _ = Describe("A deprecated tool", func() {
	It("comes after all others that match, unless it is named", func() {
		all := []finding.Tool{{Name: "read_file", Deprecated: true}, {Name: "write", Description: "Writes a file."}, {Name: "read_text_file"}}
		Expect(foundNames("read the file", all...)).To(Equal([]string{"read_text_file", "write", "read_file"}))
		Expect(foundNames("read_file", all...)[0]).To(Equal("read_file"))
	})

	DescribeTable("is one whose description or title says so", func(text string, is bool) {
		Expect(finding.Read([]byte(`{"name":"a","description":"` + text + `"}`)).Deprecated).To(Equal(is))
		Expect(finding.Read([]byte(`{"name":"a","title":"` + text + `"}`)).Deprecated).To(Equal(is))
	},
		Entry(nil, "DEPRECATED: use b", true), Entry(nil, "Reads a file. DEPRECATED, use b.", true), Entry(nil, "[deprecated] Reads", true),
		Entry(nil, "Deprecated. Reads", true), Entry(nil, "Reads (deprecated)", true), Entry(nil, "Reads. This tool is deprecated.", true),
		Entry(nil, "Lists deprecated versions", false), Entry(nil, "Says whether a package is deprecated", false), Entry(nil, "undeprecated", false),
	)
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

var _ = Describe("The index of 20,000 tools", func() {
	const mib = 1 << 20
	cost := func(tools []finding.Tool) (made, kept int64) {
		made, kept = spec.Cost(func() *finding.Index { return finding.NewIndex(tools) })
		runtime.KeepAlive(tools)
		return made, kept
	}
	// worded returns tools with long texts of that many different words.
	worded := func(words int) []finding.Tool {
		next := 0
		text := func(most int) string {
			var text strings.Builder
			for text.Len() < most-5 {
				next = (next + 1) % words
				for n := next + 36*36*36*36; n > 1; n /= 36 {
					text.WriteByte("bcdfghjklmnpqrtvwxzaeiouy0123456789s"[n%36])
				}
				text.WriteByte(' ')
			}
			return text.String()
		}
		tools := make([]finding.Tool, 20_000)
		for i := range tools {
			tools[i] = finding.Tool{Name: fmt.Sprint("tool", i), Description: text(600), Parameters: []string{text(200), text(200), text(200)}}
		}
		return tools
	}

	It("costs no more than its bound if no two tools share a word", Label("large"), func() {
		made, kept := cost(worded(36 * 36 * 36 * 36))
		Expect(made).To(BeNumerically("<", 450*mib))
		Expect(kept).To(BeNumerically("<", 40*mib))
	})

	It("costs no more than its bound if tools have many words", Label("large"), func() {
		made, kept := cost(worded(10_000))
		Expect(made).To(BeNumerically("<", 650*mib))
		Expect(kept).To(BeNumerically("<", 40*mib))
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
