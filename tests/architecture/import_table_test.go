package architecture_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

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
		Expect(strings.Count(string(text), "\n")).To(BeNumerically("<=", 220))
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
