package excerpts

import (
	"bytes"
	"encoding/json"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// meaning compares texts with one value, which it canonicalizes at most once.
type meaning struct {
	value     json.RawMessage
	canonical json.RawMessage // nil until it is needed
}

// has reports whether a text is the JSON of the value, however it is written, or the value itself
// if that is a string.
func (m *meaning) has(text string) bool {
	if m.value == nil || rawjson.Kind(m.value) == '"' {
		return m.value != nil && text == rawjson.Text(m.value)
	}
	trimmed := []byte(strings.TrimSpace(text))
	if rawjson.Kind(trimmed) != rawjson.Kind(m.value) {
		return false
	}
	if bytes.Equal(trimmed, m.value) {
		return true
	}
	canonical, err := rawjson.Canonical(trimmed)
	if err != nil {
		return false
	}
	if m.canonical == nil {
		if m.canonical, err = rawjson.Canonical(m.value); err != nil {
			m.value = nil
			return false
		}
	}
	return bytes.Equal(canonical, m.canonical)
}
