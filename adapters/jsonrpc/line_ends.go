package jsonrpc

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

// JoinLines returns JSON text with a space in place of each line feed and carriage return, which means
// the same: JSON has them between tokens only. It does not change the given text, and returns it
// if it has no line end.
func JoinLines(text []byte) []byte {
	if !hasLineEnd(text) {
		return text
	}
	joined := bytes.Clone(text)
	for i, c := range joined {
		if c == '\n' || c == '\r' {
			joined[i] = ' '
		}
	}
	return joined
}

func hasLineEnd(text []byte) bool {
	return bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0
}

// asLine returns the frame without line ends in its body.
func (f Frame) asLine() Frame {
	f.body, f.owned, f.hasLineEnds = JoinLines(f.body), true, false
	return f
}

// Clean reports whether JSON text is UTF-8 and has no line ends.
func Clean(text []byte) bool { return !hasLineEnd(text) && rawjson.ValidUTF8(text) }

// inspected is the number of bytes of a body that are inspected at once: they stay in the nearest cache for it.
const inspected = 16 << 10

// inspect returns body as valid UTF-8, which JSON between programs must be (RFC 8259 section 8.1): other
// bytes become U+FFFD. It reports whether the body has line ends.
//
// Decision: line ends become spaces where a frame is written as a line. So transports without lines keep
// every byte. They are noticed where messages are parsed (Message.Clean): nearly all of them arrive as
// lines, and looking for line ends again cost a third of writing a small one.
func inspect(body json.RawMessage) (valid json.RawMessage, hasLineEnds bool) {
	for rest := body; len(rest) > 0; {
		end := min(inspected, len(rest))
		for end < len(rest) && end > inspected-utf8.UTFMax && !utf8.RuneStart(rest[end]) {
			end--
		}
		if !rawjson.ValidUTF8(rest[:end]) {
			return bytes.ToValidUTF8(body, []byte("\uFFFD")), hasLineEnds || hasLineEnd(rest)
		}
		hasLineEnds = hasLineEnds || hasLineEnd(rest[:end])
		rest = rest[end:]
	}
	return body, hasLineEnds
}
