package excerpts_test

import (
	"encoding/json"
	"testing"

	"mcp-workbench/domain/excerpts"
)

// FuzzFit holds results to what Fit promises: JSON, within the limit, whatever comes.
func FuzzFit(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"{\"a\":[1,2,3]}"}],"structuredContent":{"a":[1,2,3]},"isError":false}`), 200)
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"text":"é\ud83d"}},{"type":"text","text":"a\nb"},7,null]}`), 300)
	f.Add([]byte(`{"content":[],"structuredContent":[[[{"a":{"a":1,"a":2}}]]]}`), 0)
	f.Fuzz(func(t *testing.T, result []byte, limit int) {
		if !json.Valid(result) || limit > 1<<20 {
			t.Skip("no result of a server comes without having been checked")
		}
		cut, isCut := excerpts.Fit(result, limit)
		if isCut && (!json.Valid(cut.Result) || cut.Shown > max(limit, 200) || cut.Shown != excerpts.TextSize(cut.Result)) {
			t.Fatalf("%d bytes of text, limit %d: %s", cut.Shown, limit, cut.Result)
		}
		value := excerpts.Value(result, limit)
		if !json.Valid(value) || len(value) > max(limit, 100) {
			t.Fatalf("limit %d: %s", limit, value)
		}
		payload := excerpts.NewPayload(result)
		excerpts.Shape(payload.Values, limit)
		if text := excerpts.Text(payload.Text, limit); len(text) > max(limit, 100) {
			t.Fatalf("limit %d: %q", limit, text)
		}
	})
}
