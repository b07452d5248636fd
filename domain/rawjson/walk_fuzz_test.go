package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzWalk holds the walk to what encoding/json takes for JSON.
func FuzzWalk(f *testing.F) {
	for _, text := range []string{
		`{}`, ` [ ] `, `{"a":1}`, `[1,2,{"b":[null,true,false,"xé\n"]}]`, `"\ud800"`, `-0.5e+10`, `01`, `1.`, `-`,
		"\"\x01\"", `{"a":1,}`, `[1,]`, `nul`, "\x00", "{\"a\":1}\x00", `"12345678`, `"1234567"`, `"12345678\"`, "\"\xff\"", `"\u12g4"`, `{"a" 1}`, "[\"\",\n\"é\"\r]", `"` + strings.Repeat("x", 5_000) + `é\n"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w := walk{text: text}
		err := w.skip(0)
		if err == nil {
			err = w.end()
		}
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("walked %q with %v, but encoding/json says %t", text, err, valid)
		}
		if err != nil {
			return
		}
		if w.lineEnds != bytes.ContainsAny(text, "\r\n") {
			t.Fatalf("walked %q, which has line ends: %t", text, !w.lineEnds)
		}
		scanner := Scanner{walk: w}
		if clean := utf8.Valid(text) && !w.lineEnds; clean != scanner.Clean() {
			t.Fatalf("walked %q, which is clean: %t", text, clean)
		}
	})
}
