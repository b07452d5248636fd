package architecture_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// ownStreams are the files of the program that use standard streams themselves, with the
// streams: messages of MCP and of the watchdog are not text for people.
var ownStreams = map[string][]string{
	"cmd/mcp-workbench/topics.go":     {"Stdout", "Stderr"},          // for the pager of the user, which shows topics only
	"cmd/mcp-workbench/main.go":       {"Stdin", "Stdout", "Stderr"}, // for the console, and for processes that are no command
	"cmd/mcp-workbench/background.go": {"Stdin", "Stdout"},           // for the console of a host
	"cmd/mcp-workbench/serve.go":      {"Stdin", "Stdout"},
	"cmd/mcp-workbench/serve_http.go": {"Stdin", "Stdout"},
	"cmd/mcp-workbench/demo.go":       {"Stdin", "Stdout"},
}

var _ = Describe("Text for people", func() {
	It("goes through the console, which shows what would control a terminal or hide", func() {
		Expect(strayStreams(readProject())).To(BeEmpty())
	})

	DescribeTable("is found where it does not", func(statement string) {
		text := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() { " + statement + " }\n"
		Expect(strayStreams(planted("cmd/mcp-workbench/list.go", text))).To(HaveLen(1))
	},
		Entry(nil, `os.Stderr.WriteString("x")`),
		Entry(nil, `_ = os.Stdout`),
		Entry(nil, `fmt.Println("x")`),
	)
})

// strayStreams says which files of the program use standard streams that are not theirs.
func strayStreams(p project) []string {
	var broken []string
	for _, s := range p.sources {
		if s.folder() != "cmd/mcp-workbench" || s.isSpec() {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			ident, ok := selector.X.(*ast.Ident)
			name := selector.Sel.Name
			switch {
			case !ok:
			case ident.Name == "os" && strings.HasPrefix(name, "Std") && !slices.Contains(ownStreams[s.path], name),
				ident.Name == "fmt" && strings.HasPrefix(name, "Print"):
				broken = append(broken, fmt.Sprintf("%s uses %s.%s: people read what the console shows", s.path, ident.Name, name))
			}
			return true
		})
	}
	return broken
}
