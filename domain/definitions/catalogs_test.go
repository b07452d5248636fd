package definitions_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

// grouped are the published servers in toolboxes, and developer those that a developer
// might have.
var (
	grouped = map[domain.ToolboxName][]string{
		"code":  {"github", "gitlab", "context7", "figma", "chrome-devtools"},
		"cloud": {"azure", "cloudflare"},
		"data":  {"supabase", "mongodb", "postgres"},
		"web":   {"firecrawl", "tavily", "brave-search", "google-maps"},
		"local": {"filesystem", "memory", "sequential-thinking", "desktop-commander", "everything"},
	}
	developer = map[domain.ToolboxName][]string{
		"code": {"github", "context7"}, "browser": {"chrome-devtools"}, "data": {"supabase", "postgres"}, "files": {"filesystem"},
	}
)

// portrait writes what a published server's tools look like in each form.
func portrait(server string) string {
	tools := toolbox(GinkgoTB(), server)
	var text strings.Builder
	for _, form := range definitions.Forms() {
		shown := definitions.Show(form, "box", tools, definitions.DefaultBudget)
		fmt.Fprintf(&text, "%s: %s, %d bytes\n", form, shown.Form, shown.Bytes)
	}
	write := func(title string, lines []string) {
		fmt.Fprintf(&text, "\n%s\n\n%s\n", title, strings.Join(lines, "\n"))
	}
	compact := definitions.Show(definitions.Compact, "box", tools, 0).Servers[0].Tools
	write("compact", compact)
	var bare []string
	for i, tool := range tools[0].Tools {
		if line := definitions.Signature(tool, false); line != compact[i] {
			bare = append(bare, line)
		}
	}
	write("compact without the prose of parameters, where it differs", bare)
	write("names", definitions.Show(definitions.Names, "box", tools, definitions.DefaultBudget).Servers[0].Tools)
	write("names in half of that", definitions.Show(definitions.Names, "box", tools, len(strings.Join(compact, ""))/4).Servers[0].Tools)
	return text.String()
}

var _ = Describe("Published servers", func() {
	for _, server := range catalogs {
		It("look as they did: "+server, func() {
			golden := filepath.Join("testdata", server+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				Expect(os.WriteFile(golden, []byte(portrait(server)), 0o644)).To(Succeed())
			}
			expected := spec.Must(os.ReadFile(golden))
			Expect(portrait(server)).To(Equal(string(expected)), "UPDATE_GOLDEN=1 writes the new look, for you to read")
		})
	}

	It("are all there", func() {
		found := spec.Must(filepath.Glob("../../tests/catalogs/*.json"))
		Expect(found).To(HaveLen(len(catalogs)))
	})

	It("show every required parameter", func() {
		for _, server := range catalogs {
			for _, tool := range catalog(GinkgoTB(), server).Tools {
				signature := definitions.Signature(tool, true)
				for _, name := range requiredOf(tool) {
					Expect(signature).To(Or(ContainSubstring(name+":"), ContainSubstring(name+","), ContainSubstring(name+")"), ContainSubstring(name+`":`)))
				}
				Expect(len(signature)).To(BeNumerically("<=", len(tool.Definition)))
			}
		}
	})

	It("cost at most 15 % of their definitions, five toolboxes in sum", func() {
		full, auto := sums(grouped)

		Expect(auto).To(BeNumerically("<=", full*15/100), "%d of %d bytes", auto, full)
	})

	It("cost at most 33 % of their definitions where many toolboxes are small", func() {
		full, auto := sums(developer)

		Expect(auto).To(BeNumerically("<=", full*33/100), "%d of %d bytes", auto, full)
	})
})

// sums adds what toolboxes cost in full, and in the form that is chosen, which has to
// be within the budget and shorter than 40 KB, where hosts begin to cut.
func sums(toolboxes map[domain.ToolboxName][]string) (full, auto int) {
	GinkgoHelper()
	for name, servers := range toolboxes {
		tools := toolbox(GinkgoTB(), servers...)
		chosen := definitions.Show(definitions.Auto, name, tools, definitions.DefaultBudget)
		Expect(chosen.Bytes).To(BeNumerically("<=", definitions.DefaultBudget), "%s", name)
		compact := definitions.Show(definitions.Compact, name, tools, 0)
		Expect(compact.Bytes).To(BeNumerically("<", 40_000), "%s", name)
		full += definitions.Show(definitions.Full, name, tools, 0).Bytes
		auto += chosen.Bytes
	}
	return full, auto
}

// requiredOf returns the names that a tool's input schema requires.
func requiredOf(tool domain.ToolInfo) []string {
	var definition struct {
		InputSchema struct{ Required []string }
	}
	Expect(json.Unmarshal(tool.Definition, &definition)).To(Succeed())
	return definition.InputSchema.Required
}
