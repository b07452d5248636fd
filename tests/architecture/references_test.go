package architecture_test

import (
	"io/fs"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A reference of a document or comment", func() {
	It("exists", func() {
		Expect(dangling(root())).To(BeEmpty())
	})

	// The smallest project with something of everything that can be referred to.
	project := func(name, text string) fs.FS {
		files := fstest.MapFS{
			"Makefile":                     {Data: []byte("test: build ## Run\nquick:\n")},
			"README.md":                    {Data: []byte("# P\n\n## 2. Use it\n")},
			"cmd/p/run.go":                 {Data: []byte("package main\n\nvar _ = f(&x, \"config\", \"\")\n\nvar _ = c{Use: \"serve\"}\n")},
			"cmd/p/help/configuration.md":  {Data: []byte("# C\n")},
			"tests/contract/doc.go":        {Data: []byte("// Package contract is.\npackage contract\n")},
			"tests/acceptance/CONTRACT.md": {Data: []byte("# C\n\n## 4. Open\n\n## 5. Use\n")},
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
		return files
	}

	DescribeTable("is found in documents",
		func(text string) { Expect(dangling(project("PAGE.md", text))).To(BeEmpty()) },
		Entry(nil, "see [it](README.md#2-use-it), `tests/contract`, `tests/*/doc.go` and `doc.go`"),
		Entry(nil, "`make test quick PKG=./x`, `mcp-workbench serve --config F`, `mcp-workbench help configuration`"),
		Entry(nil, "## 1. Here\n\nsection 1, README.md section 2, tests/acceptance/CONTRACT.md sections 4 to 5, README.md, \"Use it\""),
	)

	DescribeTable("is missed in documents",
		func(text, missing string) {
			Expect(dangling(project("PAGE.md", text))).To(ConsistOf("PAGE.md: " + missing))
		},
		Entry(nil, "see [it](GONE.md)", "there is no file GONE.md"),
		Entry(nil, "see [it](README.md#gone)", "README.md has no section with the anchor gone"),
		Entry(nil, "`tests/gone`", "there is no file tests/gone"),
		Entry(nil, "`gone.go`", "there is no file gone.go"),
		Entry(nil, "GONE.md", "there is no file GONE.md"),
		Entry(nil, "`make test gone`", "there is no make target gone"),
		Entry(nil, "    make gone", "there is no make target gone"),
		Entry(nil, "`mcp-workbench gone`", "there is no command gone"),
		Entry(nil, "`mcp-workbench help gone`", "there is no help topic gone"),
		Entry(nil, "`--gone`", "there is no flag --gone"),
		Entry(nil, "section 7", "PAGE.md has no section 7"),
		Entry(nil, "tests/acceptance/CONTRACT.md sections 4 to 6", "tests/acceptance/CONTRACT.md has no section 6"),
		Entry(nil, "README.md, \"Gone\"", "README.md has no section \"Gone\""),
		Entry(nil, "https://gone.example/", "the list of checked addresses lacks gone.example"),
	)

	DescribeTable("is missed in comments",
		func(comment, missing string) {
			Expect(dangling(project("domain/x.go", "package domain\n\n// x is "+comment+"\nvar x int\n"))).To(ConsistOf("domain/x.go: " + missing))
		},
		Entry(nil, "in GONE.md.", "there is no file GONE.md"),
		Entry(nil, "in tests/gone/x.go.", "there is no file tests/gone/x.go"),
		Entry(nil, "as tests/acceptance/CONTRACT.md section 9 says.", "tests/acceptance/CONTRACT.md has no section 9"),
		Entry(nil, "as README.md, \"Gone\", says.", "README.md has no section \"Gone\""),
		Entry(nil, "for `make gone`.", "there is no make target gone"),
	)
})
