package architecture_test

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// maxLines is the maximum number of lines of a file.
const maxLines = 500

// meaningless are names that say nothing about what is inside.
var meaningless = []string{"util", "utils", "common", "helper", "helpers", "types", "manager", "managers", "misc", "shared", "base"}

var _ = Describe("Files", func() {
	It("are short enough to be read", func() {
		Expect(tooLong(readProject())).To(BeEmpty())
	})

	It("and folders are called by what is inside", func() {
		Expect(misnamedFiles(readProject())).To(BeEmpty())
	})

	It("of suites run their specs with a limit and look for goroutines that they leave behind", func() {
		Expect(unrun(readProject())).To(BeEmpty())
	})

	It("are in packages that say what they are", func() {
		Expect(undescribedPackages(readProject())).To(BeEmpty())
	})
})

// tooLong says which files are too long: generated ones may be, and the kit, whose
// specs stand together.
func tooLong(p project) []string {
	var broken []string
	for _, s := range p.sources {
		if s.lines > maxLines && !s.isGenerated() && s.folder() != "tests/contract" {
			broken = append(broken, fmt.Sprintf("%s has %d lines, more than %d: cut it where a reader would", s.path, s.lines, maxLines))
		}
	}
	return broken
}

// unrun says which suites are not run as the others are: in random order, with a limit
// for every spec and an eye on goroutines that specs leave behind.
func unrun(p project) []string {
	var broken []string
	for _, s := range p.sources {
		if strings.HasSuffix(s.path, "_suite_test.go") && !slices.Contains(s.imports(), module+"/tests/spec") {
			broken = append(broken, s.path+": run the specs with spec.Run of tests/spec")
		}
	}
	return broken
}

// misnamedFiles says which files, folders and packages have a name without meaning.
func misnamedFiles(p project) []string {
	var broken []string
	for _, s := range p.sources {
		names := strings.Split(strings.TrimSuffix(s.path, ".go"), "/")
		words := strings.Split(names[len(names)-1], "_")
		for _, name := range slices.Concat(names, words, []string{s.syntax.Name.Name}) {
			if slices.Contains(meaningless, name) {
				broken = append(broken, fmt.Sprintf("%s: %q says nothing about what is inside: name it for that", s.path, name))
				break
			}
		}
	}
	return broken
}

// undescribedPackages says which packages lack a doc comment, and which have two.
func undescribedPackages(p project) []string {
	files, described := map[string]bool{}, map[string][]string{}
	for _, s := range p.sources {
		if s.isSpec() && hasCode(p, s.folder()) {
			continue // the package is described by its code
		}
		files[s.folder()] = true
		if doc := s.syntax.Doc; doc != nil && describes(doc, s.syntax.Name.Name, s.folder()) {
			described[s.folder()] = append(described[s.folder()], s.path)
		}
	}
	var broken []string
	for folder := range files {
		switch found := described[folder]; len(found) {
		case 0:
			broken = append(broken, folder+" has no package comment: say in doc.go what the package is")
		case 1:
		default:
			broken = append(broken, fmt.Sprintf("%s has more than one package comment: %s", folder, strings.Join(found, ", ")))
		}
	}
	return broken
}

func hasCode(p project, folder string) bool {
	return slices.ContainsFunc(p.sources, func(s source) bool { return !s.isSpec() && s.folder() == folder })
}

// describes reports whether a comment begins as the go command wants it.
func describes(doc *ast.CommentGroup, name, folder string) bool {
	begin := "Package " + name + " "
	if name == "main" {
		begin = "Command " + path.Base(folder) + " "
	}
	return strings.HasPrefix(doc.Text(), begin)
}
