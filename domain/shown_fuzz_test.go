package domain_test

import (
	"strings"
	"testing"

	"mcp-workbench/domain"
)

func FuzzShownText(f *testing.F) {
	for _, text := range []string{
		"", "plain\ttext\n", "\x1b[31mred\x1b[0m", "\x1b]0;t\a", "\x1b]0;t\x1b\\", "\x1b\x1b[[m", "\x1b", "\U000E0041", "\x00\xff\x1b[",
	} {
		f.Add(text)
	}
	hidden := func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' || r >= 0xE0000 && r <= 0xE007F
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := domain.ShownText(text)
		if i := strings.IndexFunc(shown, hidden); i >= 0 {
			t.Errorf("%q shows %q, byte %d of it is hidden", text, shown, i)
		}
		if !strings.ContainsFunc(text, hidden) && shown != text {
			t.Errorf("%q shows %q, though nothing in it is hidden", text, shown)
		}
		if again := domain.ShownText(shown); again != shown {
			t.Errorf("%q shows %q, which shows %q", text, shown, again)
		}
	})
}
