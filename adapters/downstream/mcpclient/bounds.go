package mcpclient

import (
	"encoding/json"
	"fmt"
	"time"

	"mcp-workbench/adapters/jsonscan"
)

// A list that goes on for ever ends at these bounds, with a warning, and at the size of one
// message.
const (
	maxPages    = 100
	maxEntries  = 10_000
	listingTime = 30 * time.Second
)

// maxCursor is how much of a cursor is shown, in bytes.
const maxCursor = 80

// bounds decides how much of a list counts. What is held of it, and is remembered of its pages
// while it is read, is no more than one message may hold.
type bounds struct {
	member string // what is listed
	limit  int64  // in bytes
	// entries and size are those of all entries so far, whatever became of them.
	entries int
	size    int64
	cursors map[string]bool
	// cut is the bound that the list met, "" for none; repeats says that a cursor came back,
	// and cursor is the beginning of that.
	cut     string
	repeats bool
	cursor  string
}

// admits counts one more entry and reports whether it is within the bounds.
func (b *bounds) admits(entry json.RawMessage) bool {
	if b.cut != "" {
		return false
	}
	b.size += int64(len(entry))
	switch {
	case b.entries == maxEntries:
		b.cut = fmt.Sprintf("%d %s", maxEntries, b.member)
	case b.size > b.limit:
		b.cut = fmt.Sprintf("%d bytes (limits.messageSize raises it)", b.limit)
	default:
		b.entries++
	}
	return b.cut == ""
}

// endAt reports whether the list ends after the page of that number, from 1, although it
// names a next one.
func (b *bounds) endAt(page int, next json.RawMessage) bool {
	cursor := jsonscan.Text(next)
	b.size += int64(len(next))
	switch {
	case b.cut != "":
	case b.cursors[cursor]:
		b.repeats, b.cursor = true, cursor[:min(len(cursor), maxCursor)]
	case page == maxPages:
		b.cut = fmt.Sprintf("%d pages", maxPages)
	case b.entries == maxEntries:
		b.cut = fmt.Sprintf("%d %s", maxEntries, b.member)
	case b.size > b.limit:
		b.cut = fmt.Sprintf("%d bytes (limits.messageSize raises it)", b.limit)
	default:
		if b.cursors == nil {
			b.cursors = map[string]bool{}
		}
		b.cursors[cursor] = true
		return false
	}
	return true
}
