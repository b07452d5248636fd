package architecture_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// mainUseCases are the files of the main use cases, each with the method that a port has and a type there implements.
var mainUseCases = map[string]string{
	"application/open_toolbox.go":       "OpenToolbox",
	"application/use_tool.go":           "UseTool",
	"application/build_instructions.go": "BuildInstructions",
}

// mainTypes are the types that everything else is about.
var mainTypes = []string{"Toolbox", "ToolInfo", "ToolIdentifier"}

var _ = Describe("The main words", func() {
	It("are use cases behind ports, found by the names of their files, and types of the domain", func() {
		Expect(missingWords(readProject())).To(BeEmpty())
	})

	It("are missed if they are elsewhere", func() {
		Expect(missingWords(plantedProject("application/x.go", "package application\n\nfunc (x) UseTool() {}\n\ntype Toolbox struct{}\n"))).To(ConsistOf(
			`application/open_toolbox.go has no use case OpenToolbox`, `ports has no interface with OpenToolbox`,
			`application/use_tool.go has no use case UseTool`, `ports has no interface with UseTool`,
			`application/build_instructions.go has no use case BuildInstructions`, `ports has no interface with BuildInstructions`,
			`domain has no type Toolbox`, `domain has no type ToolInfo`, `domain has no type ToolIdentifier`,
		))
	})
})

var _ = Describe("A value of the configuration", func() {
	It("holds no function: what it does is a port, or a parameter where it is used", func() {
		Expect(hiddenParameters(readProject())).To(BeEmpty())
	})

	It("is found out if it does", func() {
		Expect(hiddenParameters(plantedProject("domain/x.go", "package domain\n\ntype Server struct{ Withhold func(words string) bool }\n"))).To(HaveLen(1))
	})
})

// hiddenParameters returns the functions that the values of package domain hold.
func hiddenParameters(p project) []string {
	var found []string
	for _, s := range p.sources {
		if s.isSpec() || s.folder() != "domain" {
			continue
		}
		for name, declared := range declaredTypes(s.syntax) {
			value, isStruct := declared.(*ast.StructType)
			if !isStruct {
				continue
			}
			for _, field := range value.Fields.List {
				if _, isFunction := field.Type.(*ast.FuncType); isFunction {
					found = append(found, fmt.Sprintf("%s: %s holds a function", s.at(p.set, field.Pos()), name))
				}
			}
		}
	}
	return found
}

// missingWords says which use cases and types are not where they are looked for.
func missingWords(p project) []string {
	methods, ports, types := map[string][]string{}, []string(nil), []string(nil)
	for _, s := range p.sources {
		if s.isSpec() {
			continue
		}
		for _, declaration := range s.syntax.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv != nil {
				methods[s.path] = append(methods[s.path], function.Name.Name)
			}
		}
		for name, declared := range declaredTypes(s.syntax) {
			contract, isInterface := declared.(*ast.InterfaceType)
			switch {
			case s.folder() == "domain":
				types = append(types, name)
			case s.folder() == "ports" && isInterface:
				for _, method := range contract.Methods.List {
					for _, name := range method.Names {
						ports = append(ports, name.Name)
					}
				}
			}
		}
	}
	var missing []string
	for file, method := range mainUseCases {
		if !slices.Contains(methods[file], method) {
			missing = append(missing, fmt.Sprintf("%s has no use case %s", file, method))
		}
		if !slices.Contains(ports, method) {
			missing = append(missing, "ports has no interface with "+method)
		}
	}
	for _, name := range mainTypes {
		if !slices.Contains(types, name) {
			missing = append(missing, "domain has no type "+name)
		}
	}
	return missing
}

// declaredTypes returns the types that a file declares, by their names.
func declaredTypes(file *ast.File) map[string]ast.Expr {
	types := map[string]ast.Expr{}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			types[spec.Name.Name] = spec.Type
		}
		return true
	})
	return types
}

var _ = Describe("The use cases and the ports", func() {
	It("name no method of MCP: adapters translate", func() {
		Expect(methodNames(readProject())).To(BeEmpty())
	})

	DescribeTable("are found out if they name", func(name, text string) {
		Expect(methodNames(plantedProject(name, "package x\n\nconst y = "+text+"\n"))).To(HaveLen(1))
	},
		Entry("a request", "application/x.go", `"tools/call"`),
		Entry("a request without a family", "application/sessions/x.go", "`ping`"),
		Entry("a notification", "application/sharing/x.go", `"notifications/resources/updated"`),
		Entry("a request of a server", "ports/x.go", `"elicitation/create"`),
		Entry("the begin of names", "application/x.go", `"tasks/"`),
		Entry("a name in pieces", "application/x.go", `"resources/" + "read"`),
	)

	DescribeTable("may have other texts,", func(name, text string) {
		Expect(methodNames(plantedProject(name, "package x\n\nconst y = "+text+"\n"))).To(BeEmpty())
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

// ownStreams are the files of the program that use standard streams themselves, with the
// streams: messages of MCP and of the watchdog are not text for people.
var ownStreams = map[string][]string{
	"cmd/mcp-workbench/topics.go":     {"Stdout", "Stderr"}, // for the pager of the user, which shows topics only
	"cmd/mcp-workbench/console.go":    {"Stdin", "Stdout", "Stderr"},
	"cmd/mcp-workbench/main.go":       {"Stdin", "Stdout"}, // for processes that are no command
	"cmd/mcp-workbench/background.go": {"Stdin", "Stdout"}, // for the console of a host
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
		Expect(strayStreams(plantedProject("cmd/mcp-workbench/list.go", text))).To(HaveLen(1))
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

// topLevel are the folders and files of the root, beside those whose names begin with a dot.
var topLevel = []string{
	"cmd", "domain", "application", "adapters", "ports", "tests", "go.mod", "go.sum", "Makefile", "ARCHITECTURE.md",
	"README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
}

// built are the folders that make leaves beside them.
var built = []string{"bin", "dist"}

var _ = Describe("The top level", func() {
	It("has what it is made of, and nothing else", func() {
		Expect(outOfPlace(root())).To(BeEmpty())
	})

	It("is no place for another folder", func() {
		Expect(outOfPlace(fstest.MapFS{"domain/x.go": {}, "util/x.go": {}, ".ci/run": {}, "bin/x": {}})).To(ConsistOf(HavePrefix("util: ")))
	})
})

// outOfPlace says what is at the top level that should be below it.
func outOfPlace(tree fs.FS) []string {
	GinkgoHelper()
	entries, err := fs.ReadDir(tree, ".")
	Expect(err).NotTo(HaveOccurred())
	var broken []string
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) && !slices.Contains(built, name) {
			broken = append(broken, fmt.Sprintf("%s: nothing else is at the top level; put it below %s", name, strings.Join(topLevel[:6], ", ")))
		}
	}
	return broken
}
