package mcpclient

import (
	"encoding/json"
	"fmt"
	"time"

	"mcp-workbench/domain/rawjson"
)

// A list is cut at these bounds, or at the size of one message, with a warning.
const (
	maxPages    = 100
	maxEntries  = 10_000
	listingTime = 30 * time.Second
)

// maxCursor is the number of bytes of a cursor that are shown.
const maxCursor = 80

// bounds limits a list. Its entries and cursors together may be as large as one message.
type bounds struct {
	member string // of the result, such as "tools"
	limit  int64  // in bytes
	// pages counts those that were read, and entries and size all entries so far, used or not.
	pages   int
	entries int
	size    int64
	cursors map[string]bool
	// cut is the bound that cut the list, "" for none. Repeats says that a cursor was repeated, and
	// cursor is its beginning.
	cut     string
	repeats bool
	cursor  string
}

// admits counts an entry and reports whether it is within the bounds.
func (b *bounds) admits(entry json.RawMessage) bool {
	if b.cut != "" {
		return false
	}
	b.size += int64(len(entry))
	if b.cut = b.met(); b.cut == "" {
		b.entries++
	}
	return b.cut == ""
}

// met returns the bound that the entries have reached, "" for none.
func (b *bounds) met() string {
	switch {
	case b.entries == maxEntries:
		return fmt.Sprintf("%d %s", maxEntries, b.member)
	case b.size > b.limit:
		return fmt.Sprintf("%d bytes (limits.messageSize raises it)", b.limit)
	}
	return ""
}

// endAt reports whether the list ends after a page with this cursor of a next one.
func (b *bounds) endAt(next json.RawMessage) bool {
	cursor := rawjson.Text(next)
	b.pages++
	b.size += int64(len(next))
	switch {
	case b.cut != "":
	case b.cursors[cursor], cursor == "":
		b.repeats, b.cursor = true, cursor[:min(len(cursor), maxCursor)]
	case b.pages == maxPages:
		b.cut = fmt.Sprintf("%d pages", maxPages)
	default:
		if b.cut = b.met(); b.cut != "" {
			return true
		}
		if b.cursors == nil {
			b.cursors = map[string]bool{}
		}
		b.cursors[cursor] = true
		return false
	}
	return true
}
