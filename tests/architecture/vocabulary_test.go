package architecture_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The use cases and the ports", func() {
	It("name no method of MCP: adapters translate", func() {
		Expect(methodNames(readProject())).To(BeEmpty())
	})

	DescribeTable("are found out if they name", func(name, text string) {
		Expect(methodNames(planted(name, "package x\n\nconst y = "+text+"\n"))).To(HaveLen(1))
	},
		Entry("a request", "application/x.go", `"tools/call"`),
		Entry("a request without a family", "application/sessions/x.go", "`ping`"),
		Entry("a notification", "application/sharing/x.go", `"notifications/resources/updated"`),
		Entry("a request of a server", "ports/x.go", `"elicitation/create"`),
		Entry("the begin of names", "application/x.go", `"tasks/"`),
		Entry("a name in pieces", "application/x.go", `"resources/" + "read"`),
	)

	DescribeTable("may have other texts,", func(name, text string) {
		Expect(methodNames(planted(name, "package x\n\nconst y = "+text+"\n"))).To(BeEmpty())
	},
		Entry("such as a capability", "application/x.go", `"resources"`),
		Entry("a sentence", "application/x.go", `"tools or prompts/resources"`),
		Entry("and adapters may name methods", "adapters/mcpserver/x.go", `"tools/call"`),
		Entry("as specs may", "application/x_test.go", `"tools/call"`),
	)
})

// methodName matches the names of methods of MCP, and their families.
var methodName = regexp.MustCompile(`^(initialize|ping|(completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|skills|subscriptions|tasks|tools)/.*)$`)

// methodNames returns the texts of use cases and ports that are names of methods.
func methodNames(p project) []string {
	var found []string
	for _, s := range p.sources {
		if s.isSpec() || s.folder() != "ports" && !strings.HasPrefix(s.path, "application/") {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if _, isImport := node.(*ast.ImportSpec); isImport {
				return false
			}
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(literal.Value); err == nil && methodName.MatchString(text) {
				found = append(found, fmt.Sprintf("%s names the method %q: let ports say what is meant, and adapters translate", s.at(p.set, literal.Pos()), text))
			}
			return true
		})
	}
	return found
}
