package architecture_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// topLevel is what the project's folder holds, beside names that begin with a dot.
var topLevel = []string{
	"adapters", "application", "cmd", "domain", "ports", "tests", "third_party",
	"go.mod", "go.sum", "Makefile",
	"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md",
}

var _ = Describe("The top level", func() {
	It("holds the layers, and nothing else", func() {
		Expect(besideTheTopLevel(root())).To(BeEmpty())
	})

	It("may have what make builds, and what Git ignores", func() {
		Expect(besideTheTopLevel(fstest.MapFS{
			".gitignore": {Data: []byte("/bin/\n*.test\n/tests/npm/\n")}, ".git/HEAD": {}, "bin/mcp-workbench": {}, "domain.test": {}, "go.mod": {},
		})).To(BeEmpty())
	})

	It("may have no other folder or page", func() {
		Expect(besideTheTopLevel(fstest.MapFS{".gitignore": {}, "docs/x.png": {}, "HACKING.md": {}})).To(Equal([]string{"HACKING.md", "docs"}))
	})
})

// besideTheTopLevel returns the names in the top folder that belong somewhere else.
func besideTheTopLevel(tree fs.FS) []string {
	GinkgoHelper()
	entries, err := fs.ReadDir(tree, ".")
	Expect(err).NotTo(HaveOccurred())
	ignored, err := fs.ReadFile(tree, ".gitignore")
	Expect(err).NotTo(HaveOccurred())
	var patterns []string
	for line := range strings.Lines(string(ignored)) {
		patterns = append(patterns, strings.Trim(strings.TrimSpace(line), "/"))
	}
	var broken []string
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) && !matches(name, patterns) {
			broken = append(broken, name)
		}
	}
	return broken
}
