package results

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
)

const (
	// The first part of a long result is the limit divided by firstPart, but at least leastFirst
	// bytes, and never more than the limit.
	leastFirst = 8000
	firstPart  = 5
	// maxTries is the maximum number of attempts to cut a text so that its escaped form fits.
	maxTries = 10
)

// firstLook returns the size in bytes of the first part of a result that is longer than the limit,
// including the note.
func firstLook(limit int) int { return min(limit, max(leastFirst, limit/firstPart)) }

// cutResult cuts a result that is longer than the limit, and reports whether it did.
func cutResult(result json.RawMessage, limit domain.ResultLimit) (cut excerpts.Cut, isCut bool) {
	if resultSize(result, limit) <= limit.Bytes {
		return excerpts.Cut{}, false
	}
	shrink(firstLook(limit.Bytes)-noteRoom, limit.Bytes-noteRoom, func(room int) int {
		shown := result
		if cut, isCut = excerpts.Fit(result, room); isCut {
			shown = cut.Result
		}
		return resultSize(shown, limit)
	})
	return cut, isCut
}

// resultSize returns the size of the text of a result, as the limit counts it.
func resultSize(result json.RawMessage, limit domain.ResultLimit) int {
	if limit.Escaped {
		return excerpts.EscapedSize(result)
	}
	return excerpts.TextSize(result)
}

// textSize returns the size of a text, as the limit counts it.
func textSize(text string, limit domain.ResultLimit) int {
	if limit.Escaped {
		return excerpts.EscapedText(text)
	}
	return len(text)
}

// shrink calls cut with the room, and with less room as long as the size that cut returns is more
// than most.
func shrink(room, most int, cut func(room int) (size int)) {
	for range maxTries {
		size := cut(room)
		if size <= most || room <= 0 {
			return
		}
		room = min(room-1, room*most/size)
	}
}
