package mcpclient

import (
	"encoding/json"
	"fmt"
	"time"

	"mcp-workbench/domain/rawjson"
)

// An endless list is cut at these bounds, or at the size of one message, with a warning.
const (
	maxPages    = 100
	maxEntries  = 10_000
	listingTime = 30 * time.Second
)

// maxCursor is the length up to which a cursor is shown, in bytes.
const maxCursor = 80

// bounds decides how much of a list counts. Its entries and the cursors of its pages hold no more
// than one message may.
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
	if b.cut = b.met(); b.cut == "" {
		b.entries++
	}
	return b.cut == ""
}

// met returns the bound that the entries have met, "" for none.
func (b *bounds) met() string {
	switch {
	case b.entries == maxEntries:
		return fmt.Sprintf("%d %s", maxEntries, b.member)
	case b.size > b.limit:
		return fmt.Sprintf("%d bytes (limits.messageSize raises it)", b.limit)
	}
	return ""
}

// endAt reports whether the list ends after the page of that number, from 1, although it
// names a next one.
func (b *bounds) endAt(page int, next json.RawMessage) bool {
	cursor := rawjson.Text(next)
	b.size += int64(len(next))
	switch {
	case b.cut != "":
	case b.cursors[cursor]:
		b.repeats, b.cursor = true, cursor[:min(len(cursor), maxCursor)]
	case page == maxPages:
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
