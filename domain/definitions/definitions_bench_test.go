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

// BenchmarkCheck judges a small call.
func BenchmarkCheck(b *testing.B) {
	definition := []byte(`{"name":"edit_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"edits":{"type":"array",` +
		`"items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}},` +
		`"dryRun":{"type":"boolean","default":false}},"required":["path","edits"],"additionalProperties":false}}`)
	schema := definitions.CompileSchema(definition)
	for name, arguments := range map[string]string{
		"right": `{"path":"/home/me/project/main.go","edits":[{"oldText":"package x","newText":"package main"}],"dryRun":true}`,
		"wrong": `{"file":"/home/me/project/main.go","edits":[{"oldText":"package x"}],"dryRun":"yes"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if problems := schema.Check([]byte(arguments)); (len(problems) == 0) != (name == "right") {
					b.Fatal(problems)
				}
			}
		})
	}
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			definitions.CompileSchema(definition)
		}
	})
}
