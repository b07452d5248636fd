package architecture_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// keptForReuse are variables of packages that hold memory, and nothing that
// anybody can tell from the outside.
var keptForReuse = map[string]bool{
	"adapters/downstream/streamablehttp.buffers": true,
	"adapters/downstream/web.readers":            true,
	"adapters/jsonrpc.bodyBuffers":               true,
	"adapters/jsonrpc.largeBuffers":              true,
	"domain/rawjson.pool":                        true,
}

var _ = Describe("Packages of the program", func() {
	It("register nothing by themselves", func() {
		Expect(initFunctions(readProject())).To(BeEmpty())
	})

	It("have no state of their own", func() {
		Expect(packageState(readProject())).To(BeEmpty())
	})
})

// initFunctions says where there are functions called init.
func initFunctions(p project) []string {
	var broken []string
	for _, s := range p.sources {
		for _, declared := range s.syntax.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				broken = append(broken, s.at(p.set, f.Pos())+" is a function init: nothing registers itself; wire it where it is needed")
			}
		}
	}
	return broken
}

// packageState says which variables of packages can change: they are of a type
// that is there for that, or something in the package writes to them. Types are
// told by their looks, so what hides behind a name of its own is not seen.
func packageState(p project) []string {
	variables := map[string]map[string]*ast.ValueSpec{} // by folder and name
	var broken []string
	for _, s := range p.sources {
		if !s.isProduction() {
			continue
		}
		for name, spec := range packageVariables(s) {
			if variables[s.folder()] == nil {
				variables[s.folder()] = map[string]*ast.ValueSpec{}
			}
			variables[s.folder()][name] = spec
			if change := changing(spec); change != "" && !keptForReuse[s.folder()+"."+name] {
				broken = append(broken, fmt.Sprintf("%s: the variable %s of the package is %s: state belongs to a value that a constructor returns",
					s.at(p.set, spec.Pos()), name, change))
			}
		}
	}
	for _, s := range p.sources {
		if !s.isProduction() {
			continue
		}
		for _, write := range writes(s) {
			spec := variables[s.folder()][write.Name]
			elsewhere := write.Obj != nil && write.Obj.Decl != any(spec)
			if spec != nil && !elsewhere && !keptForReuse[s.folder()+"."+write.Name] {
				broken = append(broken, fmt.Sprintf("%s writes to %s, a variable of the package: state belongs to a value that a constructor returns",
					s.at(p.set, write.Pos()), write.Name))
			}
		}
	}
	return broken
}

// packageVariables returns the variables that a file declares for its package.
func packageVariables(s source) map[string]*ast.ValueSpec {
	variables := map[string]*ast.ValueSpec{}
	for _, declared := range s.syntax.Decls {
		group, ok := declared.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			values := spec.(*ast.ValueSpec)
			for _, name := range values.Names {
				if name.Name != "_" {
					variables[name.Name] = values
				}
			}
		}
	}
	return variables
}

// changing says what about a variable is there to be changed, "" if nothing is. What
// is computed once, on first need, does not change.
func changing(spec *ast.ValueSpec) string {
	found := ""
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			from, ok := n.X.(*ast.Ident)
			if ok && (from.Name == "sync" || from.Name == "atomic") && !strings.HasPrefix(n.Sel.Name, "Once") {
				found = "a " + from.Name + "." + n.Sel.Name
			}
		case *ast.ChanType:
			found = "a channel"
		case *ast.FuncLit:
			return false
		}
		return true
	}
	if spec.Type != nil {
		ast.Inspect(spec.Type, look)
	}
	for _, value := range spec.Values {
		ast.Inspect(value, look)
	}
	return found
}

// writes returns the variables that a file assigns to, or to a part of, or hands
// out by their address.
func writes(s source) []*ast.Ident {
	var written []*ast.Ident
	add := func(target ast.Expr) {
		if name := innermost(target); name != nil {
			written = append(written, name)
		}
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				if n.Tok != token.DEFINE {
					add(target)
				}
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.Ident)
			if ok && len(n.Args) > 0 && strings.Contains(" delete clear ", " "+called.Name+" ") {
				add(n.Args[0])
			}
		}
		return true
	})
	return written
}

// innermost returns the variable of which an expression is a part.
func innermost(part ast.Expr) *ast.Ident {
	for {
		switch e := part.(type) {
		case *ast.Ident:
			return e
		case *ast.SelectorExpr:
			part = e.X
		case *ast.IndexExpr:
			part = e.X
		case *ast.StarExpr:
			part = e.X
		case *ast.ParenExpr:
			part = e.X
		default:
			return nil
		}
	}
}
