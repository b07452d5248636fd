package arguments_test

import (
	"testing"

	"mcp-workbench/domain/arguments"
)

// BenchmarkCheck judges a small call.
func BenchmarkCheck(b *testing.B) {
	definition := []byte(`{"name":"edit_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"edits":{"type":"array",` +
		`"items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}},` +
		`"dryRun":{"type":"boolean","default":false}},"required":["path","edits"],"additionalProperties":false}}`)
	schema := arguments.CompileSchema(definition)
	for name, text := range map[string]string{
		"right": `{"path":"/home/me/project/main.go","edits":[{"oldText":"package x","newText":"package main"}],"dryRun":true}`,
		"wrong": `{"file":"/home/me/project/main.go","edits":[{"oldText":"package x"}],"dryRun":"yes"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if problems := schema.Check([]byte(text)); (len(problems) == 0) != (name == "right") {
					b.Fatal(problems)
				}
			}
		})
	}
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			arguments.CompileSchema(definition)
		}
	})
}
