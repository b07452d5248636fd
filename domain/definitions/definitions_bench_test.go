package definitions_test

import (
	"testing"

	"mcp-workbench/domain/definitions"
)

// BenchmarkShow renders a toolbox of 170 tools.
func BenchmarkShow(b *testing.B) {
	servers := toolbox(b, "azure", "cloudflare", "everything", "figma", "tavily")
	tools := 0
	for i := range servers {
		servers[i].Tools = servers[i].Tools[:min(len(servers[i].Tools), 170-tools)]
		tools += len(servers[i].Tools)
	}
	if tools != 170 {
		b.Fatalf("there are %d tools", tools)
	}
	for _, form := range definitions.Forms() {
		b.Run(string(form), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				definitions.Show(form, "cloud", servers, definitions.DefaultBudget)
			}
		})
	}
}
