package jsonrpc

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

// JoinLines returns JSON text in which spaces replace line feeds and carriage returns. The meaning is the
// same, since JSON has them only between tokens. It does not change the given text, and returns it if it
// has no line end.
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

// asLine returns the frame with spaces instead of line ends in its body.
func (f Frame) asLine() Frame {
	f.body, f.owned, f.hasLineEnds = JoinLines(f.body), true, false
	return f
}

// Clean reports whether JSON text is UTF-8 and has no line ends.
func Clean(text []byte) bool { return !hasLineEnd(text) && rawjson.ValidUTF8(text) }

// inspectSize is the number of bytes of a body that are inspected twice before the next ones, so that they stay in
// the nearest cache.
const inspectSize = 16 << 10

// inspect returns body as valid UTF-8, as JSON between programs must be (RFC 8259 section 8.1). Invalid
// bytes become U+FFFD. It reports whether the body has line ends.
//
// Decision: line ends become spaces when a frame is written as a line, so that transports without lines keep
// every byte. Line ends are detected when messages are parsed (Message.Clean): nearly all messages arrive as
// lines, and looking for line ends again took a third of the time of writing a small one.
func inspect(body json.RawMessage) (valid json.RawMessage, hasLineEnds bool) {
	for rest := body; len(rest) > 0; {
		end := min(inspectSize, len(rest))
		for end < len(rest) && end > inspectSize-utf8.UTFMax && !utf8.RuneStart(rest[end]) {
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
