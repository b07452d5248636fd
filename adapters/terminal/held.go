package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of the text that waits while a question is open.
const (
	maxHeldLines = 200
	maxHeldBytes = 64 << 10
)

// held is the last part of the text that was written while a question is open, and the number of dropped
// lines before it.
type held struct {
	pieces       []heldPiece
	lines, bytes int
	dropped      int
}

type heldPiece struct {
	to   *Output
	text string
}

func (h *held) add(to *Output, text string) {
	for line := range strings.Lines(text) {
		if excess := len(line) - maxHeldBytes; excess > 0 {
			for !utf8.RuneStart(line[excess]) {
				excess++
			}
			line = "…" + line[excess:]
		}
		h.pieces = append(h.pieces, heldPiece{to, line})
		h.lines++
		h.bytes += len(line)
		for h.lines > maxHeldLines || h.bytes > maxHeldBytes && h.lines > 1 {
			h.bytes -= len(h.pieces[0].text)
			h.pieces = h.pieces[1:]
			h.lines--
			h.dropped++
		}
	}
}

// release writes the held text. The caller has locked the console.
func (h *held) release(note *Output) {
	if h.dropped > 0 {
		_ = note.rawLocked(fmt.Sprintf("… %d earlier lines are left out\n", h.dropped))
	}
	for _, piece := range h.pieces {
		_ = piece.to.rawLocked(piece.text) // a failure to write to standard error cannot be shown
	}
}
