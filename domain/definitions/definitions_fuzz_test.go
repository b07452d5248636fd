package definitions_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

func FuzzSignature(f *testing.F) {
	for _, server := range catalogs {
		for i, tool := range catalog(f, server).Tools {
			if i%10 == 0 {
				f.Add(tool.Shown, string(tool.Definition))
			}
		}
	}
	for _, definition := range []string{
		``, `true`, `{"name":`, `{"inputSchema":{"$ref":"#"}}`, `{"inputSchema":{"required":["a","\ud800","\u001b["],"properties":{"a":{"$ref":"#/properties/a"}}}}`,
		`{"description":"\u001b]0;` + "\xff" + `\u0007. Must","inputSchema":{"allOf":[{"$ref":"#"}],"anyOf":[1,null,{}]}}`,
		`{"inputSchema":{"properties":{"a":{"prefixItems":[],"type":["array","object",1]}},"additionalProperties":{"enum":[]}}}`,
	} {
		f.Add("tool", definition)
	}
	f.Add("(\"\"\"", "") // its escapes are longer than it, and it looks like parameters
	f.Fuzz(func(t *testing.T, name, definition string) {
		tool := domain.ToolInfo{Name: name, Shown: name, Definition: []byte(definition)}
		var read struct {
			InputSchema struct{ Required []string }
		}
		_ = json.Unmarshal(tool.Definition, &read)
		bare := definitions.Signature(domain.ToolInfo{Name: name, Shown: name}, false)
		for _, prose := range []bool{true, false} {
			signature := definitions.Signature(tool, prose)
			if strings.ContainsFunc(signature, unicode.IsControl) {
				t.Errorf("%q shows control characters", signature)
			}
			if len(signature) > len(definition) && signature != bare {
				t.Errorf("%q is longer than %q", signature, definition)
			}
		}
		servers := []definitions.ServerTools{{Server: "s", Tools: []domain.ToolInfo{tool}}}
		for _, form := range definitions.Forms() {
			definitions.Show(form, "t", servers, len(definition)/2)
		}
	})
}
