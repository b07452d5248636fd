package arguments_test

import (
	"encoding/json"
	"testing"

	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/rawjson"
)

// FuzzAdjusting adjusts definitions and arguments: nothing panics, what was JSON stays JSON, and the
// fixed value is the first and the last of its name.
func FuzzAdjusting(f *testing.F) {
	f.Add(`{"inputSchema":{"properties":{"path":{},"n":{}},"required":["path"]}}`, `{"path":1,"p\u0061th":2}`)
	f.Add(`{"inputSchema":{"properties":[],"required":{}}}`, `null`)
	f.Add(` { "inputSchema" : { "required" : [ "debug" ] , "required":[] } } `, ` { "debug" : 1 , "a":{} } `)
	f.Fuzz(func(t *testing.T, definition, sent string) {
		tool := adjusted(fixedPath(`"/a"`), definition)
		if json.Valid([]byte(definition)) && !json.Valid(tool.Definition) {
			t.Fatalf("%s became %s", definition, tool.Definition)
		}
		got := arguments.Adjusted(tool, json.RawMessage(sent))
		if !json.Valid(got) {
			t.Fatalf("%s became %s", sent, got)
		}
		count := 0
		_ = rawjson.EachMember(got, func(name, value []byte) error {
			if string(name) == "path" {
				count++
			}
			if string(name) == "debug" || string(name) == "path" && string(value) != `"/a"` {
				t.Errorf("%s became %s", sent, got)
			}
			return nil
		})
		if count != 1 {
			t.Errorf("%s became %s", sent, got)
		}
	})
}
