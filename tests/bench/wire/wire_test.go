package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestLinesOfAnyLength(t *testing.T) {
	long := strings.Repeat("x", 3*firstBuffer)
	want := []string{"a", "", long, "b", long + long, "c"}
	input := strings.Join(want, "\n") + "\nno end"
	for name, source := range map[string]io.Reader{
		"whole":     strings.NewReader(input),
		"halves":    iotest.HalfReader(strings.NewReader(input)),
		"with data": iotest.DataErrReader(strings.NewReader(input)),
	} {
		lines := NewLines(source)
		for i, line := range want {
			got, err := lines.Next()
			if err != nil || string(got) != line {
				t.Fatalf("%s: line %d: %d bytes, %v; want %d bytes", name, i, len(got), err, len(line))
			}
		}
		if line, err := lines.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: %q, %v after the last line", name, line, err)
		}
	}
}

func TestTextFitsIntoAString(t *testing.T) {
	for _, size := range []int{0, 1, 69, 70, 71, 100, 10_000, 100_001} {
		for _, plain := range []bool{true, false} {
			text := Text(size, plain)
			if len(text) != size || !json.Valid(append(append([]byte(`"`), text...), '"')) {
				t.Errorf("text of %d bytes, plain %v: %d bytes: %s", size, plain, len(text), text)
			}
		}
	}
}

// FuzzObject compares with encoding/json what is JSON, and wants an end for the
// rest.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, ` { "a" : [ "]" , {"b":"}\\"} ] , "c\"" : null }`, `{"a":"\\\\\""}`,
		`{"a"`, `{"a":`, `{"a":"`, `{"a":}`, `{"a":[}`, `{,}`, `"`, `\"`, ``, `{"":-1e9,"x":true}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		found := map[string][]byte{}
		end := Object(b, 0, func(key []byte, at int) int {
			end := Value(b, at)
			if end > 0 {
				found[string(key)] = b[at:end]
			}
			return end
		})
		var want map[string]json.RawMessage
		if json.Unmarshal(b, &want) != nil || want == nil {
			return
		}
		if !utf8.Valid(b) || slices.ContainsFunc(slices.Collect(maps.Keys(found)), escaped) {
			return // two ways to write one key; nobody here asks for such
		}
		if end < 0 || len(bytes.TrimSpace(b[end:])) > 0 {
			t.Fatalf("%q ends at %d", b, end)
		}
		for key, value := range want {
			if got, ok := found[key]; ok && !bytes.Equal(got, value) {
				t.Errorf("%q: %q is %q, want %q", b, key, got, value)
			}
		}
	})
}

func escaped(key string) bool { return strings.Contains(key, `\`) }
