package rawjson

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// SyntaxProblem is where a text stops being JSON, in bytes from its beginning: what is there, and what is
// wanted. It shows at most one character of the text, since the parser's own messages show whole literals,
// which may be secrets.
type SyntaxProblem struct {
	Offset int
	// Found and Wanted complete the sentence "found …, want …".
	Found, Wanted string
}

// Position returns the line and the column of an offset, both from 1, columns in characters.
func Position(data []byte, offset int) (line, column int) {
	before := data[:min(offset, len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// startOf returns the offset of a line, that of the end for a line that does not exist.
func startOf(line int, data []byte) int {
	start := 0
	for range line - 1 {
		end := bytes.IndexByte(data[start:], '\n')
		if end < 0 {
			return len(data)
		}
		start += end + 1
	}
	return start
}

// expectations say what the parser wanted, by what its message says about the place. The
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

// ParseCommented returns the syntax tree of a text in UTF-8 that is JSON with comments and trailing commas.
// The tree refers to the text. A text that is not JSON with
// comments and trailing commas, or has more than 100 objects and lists inside each other, is a problem.
func ParseCommented(text []byte) (hujson.Value, *SyntaxProblem) {
	if offset, deep := deeperThan(text, maxCommentedDepth); deep {
		return hujson.Value{}, &SyntaxProblem{
			Offset: offset,
			Found:  fmt.Sprintf("more than %d objects and lists inside each other", maxCommentedDepth),
			Wanted: "fewer objects and lists inside each other",
		}
	}
	parsed := text
	if !bytes.HasSuffix(text, []byte("\n")) {
		// Otherwise the parser takes a comment on the last line for one that does not end.
		parsed = append(text[:len(text):len(text)], '\n')
	}
	tree, err := hujson.Parse(parsed)
	if err != nil {
		return hujson.Value{}, explain(err, text)
	}
	return tree, nil
}

// explain converts an error of the parser about a text.
func explain(err error, data []byte) *SyntaxProblem {
	var line, column int
	// The parser gives the position as text only (hujson.Parse).
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		return &SyntaxProblem{Found: "a syntax error", Wanted: "JSON"}
	}
	offset := min(startOf(line, data)+column-1, len(data))
	problem := &SyntaxProblem{Offset: offset}
	message := err.Error()
	if strings.Contains(message, "invalid literal") {
		problem.Found, problem.Wanted = brokenLiteral(data[offset:])
		return problem
	}
	for _, expectation := range expectations {
		if strings.Contains(message, expectation.place) {
			problem.Wanted = expectation.wanted
			break
		}
	}
	if offset == len(data) {
		problem.Found = "the end of the file"
		return problem
	}
	r, _ := utf8.DecodeRune(data[offset:])
	if r == '\'' {
		problem.Wanted = "double quotes"
	}
	problem.Found = strconv.Quote(string(r))
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

// maxCommentedDepth is the maximum nesting of objects and lists. The parser is recursive; without
// a bound a text could exhaust the stack, which ends the program.
const maxCommentedDepth = 100

// deeperThan returns the offset of the first bracket that is nested more deeply than the
// limit, and whether there is one.
func deeperThan(data []byte, limit int) (offset int, deep bool) {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
			if depth > limit {
				return i, true
			}
		case '}', ']':
			depth--
		case '"':
			i = stringEnd(data, i)
		case '/':
			i = commentEnd(data, i)
		}
	}
	return 0, false
}

// stringEnd returns the offset of the quote that closes the string at start, or
// of the last byte.
func stringEnd(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data) - 1
}

// commentEnd returns the offset of the last byte of the comment at start; start
// itself when there is none.
func commentEnd(data []byte, start int) int {
	var end []byte
	switch rest := data[start:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		end = []byte("\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		end = []byte("*/")
	default:
		return start
	}
	from := start + len("//")
	if length := bytes.Index(data[from:], end); length >= 0 {
		return from + length + len(end) - 1
	}
	return len(data) - 1
}
