package tree

import (
	"bytes"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain/rawjson"
)

// syntaxError is the problem at which reading a file stopped.
type syntaxError = rawjson.SyntaxProblem

// Parse returns the tree of a file. It reports a syntax error and returns nil. wanted describes what an empty file lacks.
func (f *Findings) Parse(data []byte, wanted string) *Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f.lines = newLines(data)
	tree, problem := parseText(data, wanted)
	if problem != nil {
		f.Wrong(Place{Offset: problem.Offset}, problem.Found, problem.Wanted)
		return nil
	}
	return &Node{Value: tree}
}

// parseText returns the syntax tree of a file, without its byte order mark. The tree refers to the data.
func parseText(data []byte, wanted string) (*hujson.Value, *syntaxError) {
	if problem := checkEncoding(data); problem != nil {
		return nil, problem
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &syntaxError{Found: "an empty file", Wanted: wanted}
	}
	tree, problem := rawjson.ParseCommented(data)
	if problem != nil {
		return nil, problem
	}
	return &tree, nil
}

// checkEncoding refuses text that is not UTF-8, and names UTF-16, which shells on Windows
// write.
func checkEncoding(data []byte) *syntaxError {
	const wanted = "a file in UTF-8"
	utf16 := len(data) >= 2 && (data[0] == 0 || data[1] == 0 ||
		bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")))
	if utf16 {
		return &syntaxError{Found: "text in UTF-16", Wanted: wanted}
	}
	if utf8.Valid(data) {
		return nil
	}
	for offset := 0; ; {
		r, size := utf8.DecodeRune(data[offset:])
		if r == utf8.RuneError && size <= 1 {
			return &syntaxError{Offset: offset, Found: "a byte that is not UTF-8", Wanted: wanted}
		}
		offset += size
	}
}
