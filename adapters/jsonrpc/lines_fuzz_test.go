package jsonrpc_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"mcp-workbench/adapters/jsonrpc"
)

// split is a reference implementation of a line reader. It returns nil for a line over the
// limit.
func split(text []byte, limit int) (lines [][]byte, rest []byte) {
	for {
		line, after, found := bytes.Cut(text, []byte{'\n'})
		switch {
		case !found && len(line) > limit:
			return append(lines, nil), nil
		case !found:
			return lines, line
		case len(line) > limit:
			lines = append(lines, nil)
		default:
			lines = append(lines, bytes.TrimSuffix(line, []byte{'\r'}))
		}
		text = after
	}
}

// chunks returns its text in pieces whose sizes repeat.
type chunks struct {
	text  []byte
	sizes []byte
	read  int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(c.sizes) > 0 {
		size += int(c.sizes[c.read%len(c.sizes)])
	}
	c.read++
	n := copy(p, c.text[:min(size, len(c.text))])
	c.text = c.text[n:]
	return n, nil
}

// FuzzLines compares the reader with a plain splitter, however the bytes arrive (row
// W13 of the matrix).
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\r\n\nab\rc\r\nrest"), []byte{0, 3, 200}, uint16(5))
	f.Add(bytes.Repeat([]byte("0123456789\n0\n"), 10), []byte{12}, uint16(9))
	f.Add([]byte("\ufeffa\n\ufeffb\n"), []byte{0}, uint16(9))
	f.Add([]byte("\n\n\n\xff\x00\r\r\n"), []byte{}, uint16(0))
	f.Add(append(bytes.Repeat([]byte{'x'}, 9<<10), "\nnext\n"...), []byte{255}, uint16(5<<10))
	f.Fuzz(func(t *testing.T, text, sizes []byte, limit uint16) {
		want, rest := split(text, int(limit))
		switch mark := []byte("\ufeff"); {
		case len(want) == 0:
			rest = bytes.TrimPrefix(rest, mark)
		case want[0] != nil:
			want[0] = bytes.TrimPrefix(want[0], mark)
		}
		reader := jsonrpc.NewLineReader(&chunks{text: text, sizes: sizes}, int64(limit))
		for i, line := range want {
			got, err := reader.Next()
			tooLong, over := errors.AsType[*jsonrpc.TooLongError](err)
			switch {
			case line == nil && !over:
				t.Fatalf("line %d is over the limit and was read: %q, %v", i, got, err)
			case line == nil:
				checkEnds(t, tooLong, int(limit))
			case err != nil || !bytes.Equal(got, line):
				t.Fatalf("line %d is %q and was read as %q, %v", i, line, got, err)
			}
		}
		got, err := reader.Next()
		if !errors.Is(err, io.EOF) || !bytes.Equal(got, rest) {
			t.Fatalf("the rest is %q and was read as %q, %v", rest, got, err)
		}
	})
}

// checkEnds checks the size and the ends that are reported for an oversize line.
func checkEnds(t *testing.T, tooLong *jsonrpc.TooLongError, limit int) {
	t.Helper()
	if tooLong.Size <= int64(limit) || tooLong.Limit != limit {
		t.Errorf("%d bytes are over the limit of %d", tooLong.Size, tooLong.Limit)
	}
	const sample = 4 << 10
	// The head is the part that had arrived when the limit was passed.
	if len(tooLong.Head) < min(limit+1, sample) || len(tooLong.Tail) != int(min(tooLong.Size, sample)) {
		t.Errorf("of %d bytes kept %d and %d", tooLong.Size, len(tooLong.Head), len(tooLong.Tail))
	}
}
