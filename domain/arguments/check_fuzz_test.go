package arguments_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"mcp-workbench/domain/arguments"
)

func FuzzCheck(f *testing.F) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"enum":[1,1e2,{"x":[]}]}},"required":["a"],"additionalProperties":false}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#"},{"items":{"$ref":"#/$defs/a"}}]}}}`, `true`, `{"allOf":[{}],"oneOf":[false,{"type":"x"}]}`,
	} {
		for _, text := range []string{`{}`, `{"a":null,"b":100}`, `{"a":[[[1]]],"b":{"x":[]}}`, `[1,`, `{"a":1e400,"a":-0.0}`} {
			f.Add(schema, text)
		}
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		definition := []byte(`{"name":"t","inputSchema":` + schema + `}`)
		problems := arguments.CompileSchema(definition).Check([]byte(text))
		if len(problems) > 0 && (!json.Valid(definition) || !json.Valid([]byte(text))) {
			t.Errorf("%s refuses %s, which cannot be judged", schema, text)
		}
		for _, p := range problems {
			if strings.ContainsFunc(p.Text, unicode.IsControl) || p.Refusal < arguments.Missing || p.Refusal > arguments.NotInEnum {
				t.Errorf("%s refuses %s for %+v", schema, text, p)
			}
		}
	})
}
