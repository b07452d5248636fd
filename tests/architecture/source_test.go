package architecture_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// module is how packages of this project are imported.
const module = "mcp-workbench"

// source is one Go file, whatever system it is built for.
type source struct {
	path   string // from the root of the project
	lines  int
	syntax *ast.File
}

func (s source) folder() string { return path.Dir(s.path) }

func (s source) isSpec() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) isGenerated() bool { return ast.IsGenerated(s.syntax) }

// isProduction reports whether the file is part of the program.
func (s source) isProduction() bool { return !s.isSpec() && !strings.HasPrefix(s.path, "tests/") }

// imports returns what the file imports.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			imported = spec.Path.Value
		}
		paths = append(paths, imported)
	}
	return paths
}

// at is where something in the file is, for a message.
func (s source) at(set *token.FileSet, pos token.Pos) string {
	return s.path + ":" + strconv.Itoa(set.Position(pos).Line)
}

// project is all Go files of a tree.
type project struct {
	set     *token.FileSet
	sources []source
}

// readProject reads this project, once for all specs, which do not change it.
var readProject = sync.OnceValue(func() project { return read(root()) })

// read reads a tree, but for what is not this module's own.
func read(tree fs.FS) project {
	GinkgoHelper()
	p := project{set: token.NewFileSet()}
	Expect(fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skip(tree, name)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(p.set, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		p.sources = append(p.sources, source{path: name, lines: bytes.Count(text, []byte("\n")), syntax: syntax})
		return nil
	})).To(Succeed())
	return p
}

// skip passes over folders that hold no code of this module, as the go command
// does, npm's, and what make builds.
func skip(tree fs.FS, name string) error {
	base := path.Base(name)
	if name == "." {
		return nil
	}
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules" || name == "bin" || name == "dist" {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tree, path.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// root is the folder of this project.
func root() fs.FS {
	GinkgoHelper()
	return os.DirFS(rootDirectory())
}

// rootDirectory returns the path of the folder of this project.
func rootDirectory() string {
	GinkgoHelper()
	directory, err := os.Getwd()
	Expect(err).NotTo(HaveOccurred())
	for {
		if _, err := os.Stat(filepath.Join(directory, "go.mod")); err == nil {
			return directory
		}
		above := filepath.Dir(directory)
		Expect(above).NotTo(Equal(directory), "no go.mod here or above")
		directory = above
	}
}

// matches reports whether one of the patterns matches a path.
func matches(name string, patterns []string) bool {
	for _, pattern := range patterns {
		if prefix, ok := strings.CutSuffix(pattern, "/**"); ok {
			if name == prefix || strings.HasPrefix(name, prefix+"/") {
				return true
			}
		} else if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}
