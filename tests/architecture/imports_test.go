package architecture_test

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
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
