package architecture_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("Importing", func() {
	It("keeps to the table", func() {
		Expect(brokenImports(readProject())).To(BeEmpty())
	})

	It("is ruled for every room that there is, and no other", func() {
		p := readProject()
		for _, r := range rooms {
			used := slices.ContainsFunc(p.sources, func(s source) bool {
				found, ok := roomOf(s.folder())
				return ok && found.path == r.path
			})
			Expect(used).To(BeTrue(), "no code is in %q any longer: take it out of the table", r.path)
		}
	})
})

// brokenImports says what is imported that may not be, and why.
func brokenImports(p project) []string {
	var broken []string
	for _, s := range p.sources {
		r, ok := roomOf(s.folder())
		if !ok {
			broken = append(broken, fmt.Sprintf("%s: %q has no row in the import table (tests/architecture/rooms_test.go)", s.path, s.folder()))
			continue
		}
		for _, imported := range s.imports() {
			if !r.allows(s, imported) {
				broken = append(broken, fmt.Sprintf("%s imports %q: %s may not, since %s", s.path, imported, r.reader(s), r.why))
			}
		}
	}
	return broken
}

// roomOf returns the room that a folder is.
func roomOf(folder string) (room, bool) {
	for _, r := range rooms {
		if matches(folder, []string{r.path}) {
			return r, true
		}
	}
	return room{}, false
}

// reader names the importing package, for a message.
func (r room) reader(s source) string {
	if s.isSpec() {
		return "a spec of " + r.path
	}
	return r.path
}

// allows reports whether a file of the room may import a package.
func (r room) allows(s source, imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	switch own, isOwn := strings.CutPrefix(imported, module+"/"); {
	case isOwn:
		return matches(own, r.project) || s.isSpec() && (own == s.folder() || own == suites || matches(own, r.specs))
	case strings.Contains(first, "."):
		return matches(imported, r.libraries) || s.isSpec() && matches(imported, slices.Concat(r.specs, ginkgo))
	case s.isSpec():
		return true
	case imported == "testing" || strings.HasPrefix(imported, "testing/"):
		return !s.isProduction()
	case r.std != nil:
		return matches(imported, r.std)
	}
	return !matches(imported, r.notStd)
}

// updateVariable makes the specs write what is generated in documents instead of
// comparing it.
const updateVariable = "UPDATE_DOCUMENTS"

// tablePage is the page of the import table, from the root of the project. What is before
// the table is written by hand.
const tablePage = "tests/architecture/IMPORTS.md"

var _ = Describe("The import table", func() {
	It("is on its page as the rooms have it", func() {
		page := spec.Must(fs.ReadFile(root(), tablePage))
		introduction, _, _ := strings.Cut(string(page), "| Folder")
		if os.Getenv(updateVariable) != "" {
			Expect(os.WriteFile(rootDirectory()+"/"+tablePage, []byte(introduction+importTable()), 0o644)).To(Succeed())
			return
		}

		Expect(string(page)).To(Equal(introduction+importTable()), "run %s=1 go test ./tests/architecture", updateVariable)
	})
})

var _ = Describe("The map", func() {
	It("stays short enough to be read in ten minutes", func() {
		text := spec.Must(fs.ReadFile(root(), "ARCHITECTURE.md"))
		Expect(strings.Count(string(text), "\n")).To(BeNumerically("<=", 230))
	})
})

// importTable returns the table of the rooms of the program in Markdown.
func importTable() string {
	var table strings.Builder
	table.WriteString("| Folder | May import |\n|---|---|\n")
	for _, r := range rooms {
		if strings.HasPrefix(r.path, "tests/") {
			continue
		}
		fmt.Fprintf(&table, "| `%s` | %s |\n", r.path, inCodeSpans(slices.Concat(r.project, r.libraries)))
	}
	return table.String()
}

// inCodeSpans returns patterns as Markdown, without the host that all libraries share.
func inCodeSpans(patterns []string) string {
	if len(patterns) == 0 {
		return "–"
	}
	spans := make([]string, len(patterns))
	for i, pattern := range patterns {
		spans[i] = "`" + strings.TrimPrefix(pattern, "github.com/") + "`"
	}
	return strings.Join(spans, ", ")
}

// plantedProject is a project of one file.
func plantedProject(name, text string) project {
	GinkgoHelper()
	return read(fstest.MapFS{name: {Data: []byte(text)}})
}

var _ = Describe("A rule about imports", func() {
	imports := func(name, imported string) []string {
		GinkgoHelper()
		return brokenImports(plantedProject(name, "package x\n\nimport _ \""+imported+"\"\n"))
	}

	DescribeTable("bites",
		func(name, imported string) {
			broken := imports(name, imported)

			Expect(broken).To(HaveLen(1))
			Expect(broken[0]).To(And(HavePrefix(name+" imports \""+imported+"\": "), ContainSubstring(" may not, since ")))
		},
		Entry("a library in the domain", "domain/x.go", "github.com/mark3labs/mcp-go/mcp"),
		Entry("the context in the domain", "domain/x.go", "context"),
		Entry("a room in a spec of the domain", "domain/x_test.go", "mcp-workbench/ports"),
		Entry("an adapter in the application", "application/x.go", "mcp-workbench/adapters/jsonrpc"),
		Entry("files in the application", "application/x.go", "os"),
		Entry("wording in a transport", "adapters/downstream/stdio/x.go", "mcp-workbench/adapters/wording"),
		Entry("a transport in another", "adapters/downstream/streamablehttp/x.go", "mcp-workbench/adapters/downstream/stdio"),
		Entry("the tests in the program", "cmd/mcp-workbench/x.go", "mcp-workbench/tests/workbenchtest"),
		Entry("ginkgo in the program", "cmd/mcp-workbench/x.go", "github.com/onsi/ginkgo/v2"),
		Entry("the program in a feature", "tests/acceptance/using/x_test.go", "mcp-workbench/domain"),
		Entry("the program in a measurement", "tests/measurements/bench/x.go", "mcp-workbench/adapters/jsonrpc"),
	)

	DescribeTable("lets",
		func(name, imported string) {
			Expect(imports(name, imported)).To(BeEmpty())
		},
		Entry("a spec import what it is about", "domain/x_test.go", "mcp-workbench/domain"),
		Entry("specs use ginkgo", "adapters/jsonrpc/x_test.go", "github.com/onsi/ginkgo/v2"),
		Entry("specs use what the program may not", "application/x_test.go", "os"),
		Entry("specs of the host's side ask mcp-go's server", "adapters/mcpserver/x_test.go", "github.com/mark3labs/mcp-go/server"),
		Entry("specs of a transport use the kit", "adapters/downstream/streamablehttp/x_test.go", "mcp-workbench/tests/contract"),
		Entry("cmd join everything", "cmd/mcp-workbench/x.go", "mcp-workbench/adapters/downstream/stdio"),
	)

	It("knows no room that is not in the table", func() {
		Expect(imports("adapters/cache/x.go", "fmt")).To(ConsistOf(
			`adapters/cache/x.go: "adapters/cache" has no row in the import table (tests/architecture/rooms_test.go)`))
		Expect(imports("internal/x.go", "fmt")).To(HaveLen(1))
	})

	It("sees files of every system and of every build", func() {
		windows := "//go:build windows && wireinject\n\npackage x\n\nimport _ \"os\"\n"

		Expect(brokenImports(plantedProject("domain/x_windows.go", windows))).To(HaveLen(1))
	})
})

var _ = Describe("A rule about files", func() {
	DescribeTable("bites",
		func(rule func(project) []string, tree func() project, message string) {
			broken := rule(tree())

			Expect(broken).To(HaveLen(1))
			Expect(broken[0]).To(ContainSubstring(message))
		},
		Entry("a file of more than 500 lines", tooLong, plantedLines(501, ""), "domain/x.go has 501 lines"),
		Entry("a suite that is run in a way of its own",
			unrun, plantedAs("domain/domain_suite_test.go", "domain_test"), "run the specs with spec.Run"),
		Entry("a file called util", misnamedFiles, plantedAs("domain/util.go", "domain"), `domain/util.go: "util" says nothing`),
		Entry("a file called by a word and helpers", misnamedFiles, plantedAs("domain/json_helpers_test.go", "domain"), `"helpers"`),
		Entry("a package without a comment", undescribedPackages, plantedAs("domain/x.go", "domain"), "domain has no package comment"),
		Entry("a package with a comment that does not describe it", undescribedPackages, plantedText("domain/x.go", "// TODO.\npackage domain\n"),
			"domain has no package comment"),
		Entry("specs alone without a comment", undescribedPackages, plantedAs("tests/x/x_test.go", "x_test"), "tests/x has no package comment"),
	)

	DescribeTable("lets be",
		func(rule func(project) []string, tree func() project) { Expect(rule(tree())).To(BeEmpty()) },
		Entry("a file of 500 lines", tooLong, plantedLines(500, "")),
		Entry("a long file that was generated", tooLong, plantedLines(501, "// Code generated by Wire. DO NOT EDIT.\n\n")),
		Entry("a package with a comment", undescribedPackages, plantedText("domain/x.go", "// Package domain is x.\npackage domain\n")),
		Entry("a command with a comment", undescribedPackages, plantedText("cmd/x/main.go", "// Command x is x.\npackage main\n")),
	)

	It("sees a second comment on a package", func() {
		text := []byte("// Package domain is x.\npackage domain\n")
		p := read(fstest.MapFS{"domain/a.go": {Data: text}, "domain/b.go": {Data: text}})

		Expect(undescribedPackages(p)).To(ConsistOf("domain has more than one package comment: domain/a.go, domain/b.go"))
	})
})

// plantedText is planted for tables, which are built before any spec runs.
func plantedText(name, text string) func() project {
	return func() project { return plantedProject(name, text) }
}

func plantedAs(name, packageName string) func() project {
	return plantedText(name, "package "+packageName+"\n")
}

func plantedLines(lines int, begin string) func() project {
	begin += "package domain\n"
	return plantedText("domain/x.go", begin+strings.Repeat("\n", lines-strings.Count(begin, "\n")))
}
