package wire

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
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
		text := Text(size)
		if len(text) != size || !json.Valid(append(append([]byte(`"`), text...), '"')) {
			t.Errorf("text of %d bytes: %d bytes: %s", size, len(text), text)
		}
	}
}
