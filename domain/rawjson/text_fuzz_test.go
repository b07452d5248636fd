package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"mcp-workbench/domain/rawjson"
)

// FuzzText holds the text of a string to encoding/json, and quoting to its way back.
func FuzzText(f *testing.F) {
	for _, seed := range []string{`""`, `"a\n\u00e9"`, "\"\xff\"", `"\ud800\udc00\ud800"`, `7`, `null`, `"`, "", `"\`, "\u2028\x7f<&>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var want string
		if json.Valid(value) && json.Unmarshal(value, &want) == nil && value[0] == '"' && value[len(value)-1] == '"' {
			if got := rawjson.Text(value); got != want {
				t.Errorf("the text of %q is %q, want %q", value, got, want)
			}
		}
		text := strings.ToValidUTF8(string(value), "\uFFFD")
		quoted := rawjson.Quote(text)
		if bytes.ContainsAny(quoted, "\r\n") || rawjson.Text(quoted) != text {
			t.Errorf("%q was quoted as %q", text, quoted)
		}
	})
}
