package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// syntaxError is the problem at which reading a file stopped.
type syntaxError struct {
	offset        int
	found, wanted string
}

// parse makes the tree of a file's bytes. It returns nil for one with a syntax error, which is reported.
func (r *reader) parse(data []byte) *node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r.lines = newLines(data)
	tree, problem := parse(data)
	if problem != nil {
		r.wrong(place{offset: problem.offset}, problem.found, problem.wanted)
		return nil
	}
	return &node{value: tree}
}

// parse makes the syntax tree of a file without its byte order mark. The tree
// refers to the data.
func parse(data []byte) (*hujson.Value, *syntaxError) {
	if problem := checkEncoding(data); problem != nil {
		return nil, problem
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &syntaxError{found: "an empty file", wanted: `an object with "toolboxes"`}
	}
	if offset, deep := deeperThan(data, maxDepth); deep {
		return nil, &syntaxError{
			offset: offset,
			found:  fmt.Sprintf("more than %d objects and lists inside each other", maxDepth),
			wanted: "fewer objects and lists inside each other",
		}
	}
	text := data
	if !bytes.HasSuffix(data, []byte("\n")) {
		// The parser takes the last line for a comment without end otherwise.
		text = append(data[:len(data):len(data)], '\n')
	}
	tree, err := hujson.Parse(text)
	if err != nil {
		return nil, explain(err, data)
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
		return &syntaxError{found: "text in UTF-16", wanted: wanted}
	}
	if utf8.Valid(data) {
		return nil
	}
	for offset := 0; ; {
		r, size := utf8.DecodeRune(data[offset:])
		if r == utf8.RuneError && size <= 1 {
			return &syntaxError{offset: offset, found: "a byte that is not UTF-8", wanted: wanted}
		}
		offset += size
	}
}

// expectations say what the parser wanted, by what it says about the place. The
// first that applies counts.
var expectations = []struct{ place, wanted string }{
	{"in line comment", "a comment without Unicode line separators"},
	{"parsing comment", `the end of the comment, "*/"`},
	{"parsing string", "the closing double quote of a string"},
	{"after top-level value", "nothing after the end of the object"},
	{"at start of object name", "a key in double quotes"},
	{"object after name", `":" after the key`},
	{"after object name", `":" after the key`},
	{"object after value", `"," or "}"`},
	{"after object value", `"," or "}"`},
	{"array after value", `"," or "]"`},
	{"after array value", `"," or "]"`},
	{"", "a key or a value"},
}

// explain converts an error of the parser. The parser's own text may show a whole
// literal, which may be a secret.
func explain(err error, data []byte) *syntaxError {
	var line, column int
	// The parser gives the position as text only (hujson.Parse).
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		return &syntaxError{found: "a syntax error", wanted: "JSON"}
	}
	starts := newLines(data).starts
	offset := len(data)
	if line <= len(starts) {
		offset = min(starts[line-1]+column-1, len(data))
	}
	problem := &syntaxError{offset: offset}
	message := err.Error()
	if strings.Contains(message, "invalid literal") {
		problem.found, problem.wanted = brokenLiteral(data[offset:])
		return problem
	}
	for _, expectation := range expectations {
		if strings.Contains(message, expectation.place) {
			problem.wanted = expectation.wanted
			break
		}
	}
	if offset == len(data) {
		problem.found = "the end of the file"
		return problem
	}
	r, _ := utf8.DecodeRune(data[offset:])
	if r == '\'' {
		problem.wanted = "double quotes"
	}
	problem.found = strconv.Quote(string(r))
	return problem
}

// brokenLiteral says what is wrong with the literal at the start of data.
func brokenLiteral(data []byte) (found, wanted string) {
	if data[0] != '"' {
		return "a word or number that JSON does not have", "a string in double quotes, a number, true, false or null"
	}
	for i := 1; i < len(data) && data[i] != '"'; i++ {
		switch {
		case data[i] < ' ':
			return "a string with a line break or control character", `the closing double quote before it, or an escape such as \n`
		case data[i] == '\\':
			i++
		}
	}
	return "a string with a backslash that begins no escape", `\\ for each backslash`
}
