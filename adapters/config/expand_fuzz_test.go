package config_test

import (
	"strings"
	"testing"

	"mcp-workbench/adapters/config"
)

// FuzzExpand leaves text without variables as it is (row G06 of the matrix).
func FuzzExpand(f *testing.F) {
	for _, text := range []string{
		"", "plain", "$", "$A", "${A}", "${A}${B}", "a${A}b", "${A:-d}", "${B:-}", "${B:-$A}", "${", "${A", "}", "${}", "${:-d}",
		"${A:-${B}}", "$${A}", "${1}", "${a b}", "${env:A}", "${B:-a:-b}", "größe ${A}", "\x00${A}\xff",
	} {
		f.Add(text, "${B}")
		f.Add(text, "value")
		f.Add(text, "}")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		expandTo := func(value string) (string, error) {
			expanded, _, err := config.Expand(text, func(name string) (string, bool) { return value, name == "A" })
			return expanded, err
		}
		expanded, err := expandTo(value)
		if !strings.Contains(text, "$") && (err != nil || expanded != text) {
			t.Errorf("%q became %q, %v", text, expanded, err)
		}
		const marker = "\x02marker\x03"
		if strings.Contains(text, "\x02") {
			return
		}
		// A marker holds nothing to expand, so that putting the value in its place
		// tells whether the value was looked at.
		marked, markedErr := expandTo(marker)
		if again := strings.ReplaceAll(marked, marker, value); again != expanded {
			t.Errorf("%q with A=%q became %q, not %q", text, value, expanded, again)
		}
		if (err == nil) != (markedErr == nil) {
			t.Errorf("%q with A=%q: %v, but %v", text, value, err, markedErr)
		}
	})
}
