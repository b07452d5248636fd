package textedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// layout is the line end and the indentation of a text, which insertions follow.
type layout struct {
	lineEnd string // "\n" or "\r\n"
	unit    string // the indentation of one level
}

// layoutOf returns the layout of a text: the end of its first line, and the indentation of its
// first indented line.
func layoutOf(text []byte) layout {
	l := layout{lineEnd: "\n", unit: "  "}
	first := bytes.IndexByte(text, '\n')
	if first > 0 && text[first-1] == '\r' {
		l.lineEnd = "\r\n"
	}
	for line := range bytes.Lines(text[max(first, 0):]) {
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if len(indent) > 0 && len(bytes.TrimSpace(line)) > 0 {
			l.unit = string(indent)
			break
		}
	}
	return l
}

// value writes a JSON value on several lines, of which the first is not indented. Text that is not
// JSON becomes "", so that the result cannot be parsed.
func (l layout) value(value json.RawMessage, indent string) string {
	var out bytes.Buffer
	_ = json.Indent(&out, value, indent, l.unit)
	return strings.ReplaceAll(out.String(), "\n", l.lineEnd)
}

// compact writes a JSON value on one line. Text that is not JSON becomes "", as in value.
func compact(value json.RawMessage) string {
	var out bytes.Buffer
	_ = json.Compact(&out, value)
	return out.String()
}

// quote returns a JSON string that is a string in YAML and TOML too, with as few escapes as possible.
func quote(text string) string { return escapeControls(string(rawjson.Quote(text))) }

// escapeControls returns JSON without comments in which no string has what JSON allows, but TOML or a strict reader of
// YAML does not: U+007F, C1 controls, and the line ends of other languages.
func escapeControls(text string) string {
	isRefused := func(r rune) bool {
		return r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfffe || r == 0xffff
	}
	if !strings.ContainsFunc(text, isRefused) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if isRefused(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// lineStart returns the start of the line of an offset, and whether there is only white space between
// the two.
func lineStart(text []byte, offset int) (start int, blank bool) {
	start = bytes.LastIndexByte(text[:offset], '\n') + 1
	return start, len(bytes.TrimLeft(text[start:offset], " \t")) == 0
}

// lineEnd returns the start of the line after an offset, and whether there is only white space between
// the two.
func lineEnd(text []byte, offset int) (end int, blank bool) {
	end = len(text)
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i + 1
	}
	return end, len(bytes.TrimSpace(text[offset:end])) == 0
}

// withoutLineEnd returns the offset before the line end that ends at an offset.
func withoutLineEnd(text []byte, offset int) int {
	if offset > 0 && text[offset-1] == '\n' {
		offset--
		if offset > 0 && text[offset-1] == '\r' {
			offset--
		}
	}
	return offset
}

// splice replaces text[start:end].
func splice(text []byte, start, end int, with string) []byte {
	out := make([]byte, 0, len(text)-(end-start)+len(with))
	out = append(out, text[:start]...)
	out = append(out, with...)
	return append(out, text[end:]...)
}
