package textedit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-workbench/adapters/hostfiles/textedit"
)

// FuzzFormats checks that an edit is either refused, or can be read back and leaves every other member as it is, and that a
// masked text has no value.
func FuzzFormats(f *testing.F) {
	for _, text := range []string{gooseFile, continueFile, "{\"s\": {\"a\": {\"b\": 1}} // c\n}", "[s.a]\nb = 'c' # d\n[s]\nk = [1, { x = \"y\" }]\n", "s:\n- name: a\n"} {
		f.Add(text, "s")
		f.Add(text, "extensions")
	}
	f.Fuzz(func(t *testing.T, text, section string) {
		if !utf8.ValidString(section) {
			return // no text has such a name
		}
		for _, format := range []textedit.Format{textedit.JSON, textedit.TOML, textedit.YAML, textedit.YAMLList} {
			masked := format.Mask([]byte(text), func(textedit.Value) string { return "•" })
			before, err := format.Read([]byte(text), []string{section})
			if err == nil && masked == nil {
				t.Error("a text that can be read is not shown")
			}
			format.Mask(masked, func(value textedit.Value) string {
				if value.Text != "•" && value.Text != "" {
					t.Errorf("%q is shown", value.Text)
				}
				return value.Text
			})
			path := []string{section, "w"}
			edited, failure := format.Set([]byte(text), path, json.RawMessage(`{"name":"w","args":["x"]}`))
			if err != nil || failure != nil {
				continue
			}
			checkMembers(t, format, edited, section, before, 1)
			if removed, err := format.Delete(edited, path); err == nil {
				checkMembers(t, format, removed, section, before, 0)
			}
		}
	})
}

// checkMembers checks that a section has the members that it had before, besides a number of members "w".
func checkMembers(t *testing.T, format textedit.Format, text []byte, section string, before []textedit.Member, added int) {
	t.Helper()
	after, err := format.Read(text, []string{section})
	if err != nil {
		t.Fatal(err)
	}
	others := func(members []textedit.Member) (texts []string, others int) {
		for _, member := range members {
			if member.Name != "w" {
				texts = append(texts, member.Name+string(member.Value))
			}
		}
		return texts, len(members) - len(texts)
	}
	want, _ := others(before)
	if got, others := others(after); strings.Join(got, "\n") != strings.Join(want, "\n") || others < added {
		t.Errorf("got %q, want %q\n%s", got, want, text)
	}
}
