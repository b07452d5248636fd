package architecture_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// updateVariable makes the specs write what is generated in documents instead of
// comparing it.
const updateVariable = "UPDATE_DOCUMENTS"

// The marks around the import table in ARCHITECTURE.md.
const (
	mapPage    = "ARCHITECTURE.md"
	tableBegin = "<!-- import table -->\n"
	tableEnd   = "<!-- end of the import table -->\n"
)

var _ = Describe("The import table", func() {
	It("is in the map as the rooms have it", func() {
		text, err := fs.ReadFile(root(), mapPage)
		Expect(err).NotTo(HaveOccurred())
		before, rest, begins := strings.Cut(string(text), tableBegin)
		shown, after, ends := strings.Cut(rest, tableEnd)
		Expect(begins && ends).To(BeTrue(), "the marks around the table are gone")
		if os.Getenv(updateVariable) != "" {
			updated := before + tableBegin + importTable() + tableEnd + after
			Expect(os.WriteFile(rootDirectory()+"/"+mapPage, []byte(updated), 0o644)).To(Succeed())
			return
		}

		Expect(shown).To(Equal(importTable()), "run %s=1 go test ./tests/architecture", updateVariable)
	})

	It("is the only part of the map that may grow with the program", func() {
		text, err := fs.ReadFile(root(), mapPage)
		Expect(err).NotTo(HaveOccurred())
		before, rest, _ := strings.Cut(string(text), tableBegin)
		_, after, _ := strings.Cut(rest, tableEnd)
		Expect(strings.Count(before+after, "\n")).To(BeNumerically("<=", 150))
	})
})

// importTable returns the table of rooms in Markdown.
func importTable() string {
	var table strings.Builder
	table.WriteString("| Folder | May import of this project | Libraries | Why |\n|---|---|---|---|\n")
	for _, r := range rooms {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", r.path, inCodeSpans(r.project), inCodeSpans(r.libraries), r.why)
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
