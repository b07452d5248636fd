package jsonsyntax

import "bytes"

// maxDepth is the maximum nesting of objects and lists. The parser is recursive; without
// a bound a text could exhaust the stack, which ends the program.
const maxDepth = 100

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
