package architecture_test

import (
	"fmt"
	"go/ast"
	"slices"

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
		Expect(missingWords(planted("application/x.go", "package application\n\nfunc (x) UseTool() {}\n\ntype Toolbox struct{}\n"))).To(ConsistOf(
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
		Expect(hiddenParameters(planted("domain/x.go", "package domain\n\ntype Server struct{ Withhold func(words string) bool }\n"))).To(HaveLen(1))
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
