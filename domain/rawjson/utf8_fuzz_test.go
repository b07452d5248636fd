package rawjson_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

// FuzzValidUTF8 holds ValidUTF8 to utf8.Valid, at every offset.
func FuzzValidUTF8(f *testing.F) {
	for _, text := range []string{
		"", "letters only", "für eine Weile", "привет мир", "日本語のテキスト", "ไทย", "한국어", "🧰🧰🧰", "\xc0\x80", "\xc1\xbf", "\xc2\x80", "\xe0\x80\x80",
		"\xe0\x9f\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xed\xa0\x80", "\xef\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80\x80",
		"\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "é\xc3", "語\xe8\xaa", "🧰\xf0\x9f\xa7", "\x80", "éé\xc0\x80éé", "語\xed\xa0\x80語",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for offset := range 33 {
			for _, behind := range []string{"", "x", "é", strings.Repeat("y", 50)} {
				shifted := []byte(strings.Repeat("x", 60+offset) + string(text) + behind)
				if got, want := rawjson.ValidUTF8(shifted), utf8.Valid(shifted); got != want {
					t.Fatalf("%q is valid: %t, want %t", shifted, got, want)
				}
			}
		}
	})
}

// FuzzValidUTF8 does not reach each bound, so these are checked one by one.
func TestValidUTF8OfEachFirstAndSecondByte(t *testing.T) {
	for first := 0x80; first <= 0xff; first++ {
		for second := range 256 {
			for _, behind := range []string{"", "\x00", "A", "\x80", "\xbf", "\xc0", "\x80\x80", "\x80A", "\xbf\xbf", "\x80\xc0", "\x80\x80\x80"} {
				for _, after := range []string{"", "x", "é語🧰"} {
					text := strings.Repeat("x", 61) + "語" + string([]byte{byte(first), byte(second)}) + behind + after
					if got, want := rawjson.ValidUTF8([]byte(text)), utf8.ValidString(text); got != want {
						t.Fatalf("%q is valid: %t, want %t", text, got, want)
					}
				}
			}
		}
	}
}
