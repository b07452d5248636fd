package results

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/fitting"
)

const (
	// leastFirst is the number of bytes of a long result that are shown at first, unless the limit is
	// less; firstPart is which part of the limit, where that is more.
	leastFirst = 8000
	firstPart  = 5
	// maxTries bounds how often a text is cut shorter until its escaped form fits.
	maxTries = 10
)

// firstLook returns how many bytes are shown at first of a result that is longer than the limit, with
// the note.
func firstLook(limit int) int { return min(limit, max(leastFirst, limit/firstPart)) }

// cutResult cuts a result that is longer than the limit, and reports whether it is.
func cutResult(result json.RawMessage, limit domain.ResultLimit) (cut fitting.Cut, isCut bool) {
	if resultSize(result, limit) <= limit.Bytes {
		return fitting.Cut{}, false
	}
	shrink(firstLook(limit.Bytes)-noteRoom, limit.Bytes-noteRoom, func(room int) int {
		shown := result
		if cut, isCut = fitting.Fit(result, room); isCut {
			shown = cut.Result
		}
		return resultSize(shown, limit)
	})
	return cut, isCut
}

// resultSize returns the size of the text of a result, as the limit counts it.
func resultSize(result json.RawMessage, limit domain.ResultLimit) int {
	if limit.Escaped {
		return fitting.EscapedSize(result)
	}
	return fitting.TextSize(result)
}

// textSize returns the size of a text, as the limit counts it.
func textSize(text string, limit domain.ResultLimit) int {
	if limit.Escaped {
		return fitting.EscapedText(text)
	}
	return len(text)
}

// shrink calls cut with the room, and with less while the size that it returns is more than most.
func shrink(room, most int, cut func(room int) (size int)) {
	for range maxTries {
		size := cut(room)
		if size <= most || room <= 0 {
			return
		}
		room = min(room-1, room*most/size)
	}
}
