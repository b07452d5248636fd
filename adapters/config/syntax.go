package config

import (
	"bytes"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain/rawjson"
)

// syntaxError is the problem at which reading a file stopped.
type syntaxError = rawjson.SyntaxProblem

// parse returns the tree of a file. It reports a syntax error and returns nil.
func (r *reader) parse(data []byte) *node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r.lines = newLines(data)
	tree, problem := parse(data)
	if problem != nil {
		r.wrong(place{offset: problem.Offset}, problem.Found, problem.Wanted)
		return nil
	}
	return &node{value: tree}
}

// parse returns the syntax tree of a file, without its byte order mark. The tree refers to the data.
func parse(data []byte) (*hujson.Value, *syntaxError) {
	if problem := checkEncoding(data); problem != nil {
		return nil, problem
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &syntaxError{Found: "an empty file", Wanted: `an object with "toolboxes"`}
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
