package excerpts

import "encoding/json"

// TextSize returns how many bytes of text a result has, as Fit counts them.
func TextSize(result json.RawMessage) int {
	contents, _ := read(result)
	return contents.size()
}

// blockJSON is the JSON of a text block without its text.
const blockJSON = `{"type":"text","text":""},`

// EscapedSize returns how many bytes the texts of a result take as JSON: each as a text block, and
// structuredContent unchanged.
func EscapedSize(result json.RawMessage) int {
	contents, _ := read(result)
	size := len(contents.structured)
	for _, b := range contents.blocks {
		if b.isText {
			size += EscapedText(b.text)
		}
	}
	return size
}

// EscapedText returns how many bytes a text takes as a text block of a result.
func EscapedText(text string) int {
	size := len(blockJSON) + len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			size += len(`\n`) - 1
		case c < ' ':
			size += len(`\u0000`) - 1
		}
	}
	return size
}

// size returns the bytes of text.
func (c contents) size() int {
	size := len(c.structured)
	for _, b := range c.blocks {
		size += len(b.text)
	}
	return size
}
