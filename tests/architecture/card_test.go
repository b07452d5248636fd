package architecture_test

import (
	"fmt"
	"go/ast"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
