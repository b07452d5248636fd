package architecture_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
