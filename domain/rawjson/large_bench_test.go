package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

// largeTexts are a megabyte each, as they stand in results.
var largeTexts = map[string]string{
	"letters": strings.Repeat("x", 1<<20),
	"lines":   strings.Repeat("a \"line\" of some text that goes on, and then it ends.\n", 1<<20/54),
	"German":  strings.Repeat("Für eine Weile läuft der Text über viele Wörter. ", 1<<20/53),
	"Russian": strings.Repeat("Текст из многих слов, а потом ещё один. ", 1<<20/70),
	"Thai":    strings.Repeat("ข้อความยาวหลายคำ ", 1<<20/46),
	"Chinese": strings.Repeat("這是一段很長的文字，裡面有很多字。", 1<<20/51),
}

func BenchmarkLargeString(b *testing.B) {
	for name, text := range largeTexts {
		b.Run(name, func(b *testing.B) {
			quoted, err := json.Marshal([]string{text})
			if err != nil {
				b.Fatal(err)
			}
			scanner := rawjson.NewScanner()
			b.SetBytes(int64(len(quoted)))
			for b.Loop() {
				if err := scanner.EachElement(quoted, func([]byte) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValidUTF8(b *testing.B) {
	for name, text := range largeTexts {
		for function, valid := range map[string]func([]byte) bool{"here": rawjson.ValidUTF8, "library": utf8.Valid} {
			b.Run(name+"/"+function, func(b *testing.B) {
				given := []byte(text)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if !valid(given) {
						b.Fatal("not valid")
					}
				}
			})
		}
	}
}
