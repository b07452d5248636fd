package excerpts

import (
	"bytes"
	"encoding/json"
	"slices"

	"mcp-workbench/domain/rawjson"
)

const (
	// leastLimit is the smallest limit that leaves room to say what is left out.
	leastLimit = 100
	// leastShare is enough bytes for the string that replaces any value.
	leastShare = 40
	// maxDepth is the depth to which values are cut. A deeper value is only counted, so that every byte is
	// walked a bounded number of times.
	maxDepth = 24
)

// Value returns a JSON value in at most limit bytes, the value itself if it fits. A longer one loses
// the white space between its tokens first. Arrays keep their first elements whole, strings their beginning, and
// objects their members; a string in place of what is left out says how much that is. Numbers are never shortened. A
// limit below 100 counts as 100. The value must be JSON.
func Value(value []byte, limit int) json.RawMessage {
	if len(value) <= limit {
		return value
	}
	return appendValue(nil, bytes.TrimSpace(value), max(limit, leastLimit), 0)
}

// appendCompact appends a value without white space between its tokens, and reports false, appending nothing, if that
// has more than limit bytes. It looks at no more bytes than those that it appends and the white space between them.
func appendCompact(to, value []byte, limit int) ([]byte, bool) {
	begin, inString, escaped := len(to), false, false
	for _, c := range value {
		switch {
		case escaped:
			escaped = false
		case c == '"':
			inString = !inString
		case inString:
			escaped = c == '\\'
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			continue
		}
		if len(to)-begin >= limit {
			return to[:begin], false
		}
		to = append(to, c)
	}
	return to, true
}

// appendValue appends a value in at most limit bytes, which are leastShare or more.
func appendValue(to, value []byte, limit, depth int) []byte {
	if whole, fits := appendCompact(to, value, limit); fits {
		return whole
	}
	switch rawjson.Kind(value) {
	case '"':
		return appendString(to, value, limit)
	case '[':
		return appendArray(to, value, limit, depth)
	case '{':
		return appendObject(to, value, limit, depth)
	}
	return appendCount(to, len(value), "digit")
}

// appendCount appends the string that replaces a value with that many parts.
func appendCount(to []byte, count int, noun string) []byte {
	return rawjson.AppendQuote(to, "… "+counted(count, noun))
}

func appendArray(to, value []byte, limit, depth int) []byte {
	room := limit - len(`[,"… 1,234,567,890 more items"]`)
	if room < leastShare || depth == maxDepth {
		return appendCount(to, countElements(value), "item")
	}
	names := min(room/8, maxNames)
	cut := arrayCut{to: append(to, '['), room: room - names, depth: depth, names: newNames{most: names}}
	eachElement(value, cut.add)
	if cut.more > 0 {
		cut.separate()
		cut.to = rawjson.AppendQuote(cut.to, "… "+counted(cut.more, "more item")+cut.names.String())
	}
	return append(cut.to, ']')
}

// arrayCut writes an array that does not fit.
type arrayCut struct {
	to          []byte
	room        int // bytes for elements
	used        int // of room
	depth       int
	shown, more int
	isFull      bool
	names       newNames
}

// add shows an element or counts it.
func (c *arrayCut) add(element []byte) {
	left := c.room - c.used
	switch {
	case c.isFull:
		c.more++
		c.names.note(element)
	case c.show(element, left-len(",")):
	case left > max(leastShare, c.room/8):
		// Whole elements would leave much of the room empty.
		c.separate()
		c.to = appendValue(c.to, element, left-len(","), c.depth+1)
		c.names.know(element)
		c.isFull = true
	default:
		c.more++
		c.names.note(element)
		c.isFull = true
	}
}

// show shows an element whole, and reports false if it has more than most bytes.
func (c *arrayCut) show(element []byte, most int) bool {
	before := len(c.to)
	c.separate()
	whole, fits := appendCompact(c.to, element, most)
	if !fits {
		c.to, c.shown = c.to[:before], c.shown-1
		return false
	}
	c.used += len(whole) - len(c.to) + len(",")
	c.to = whole
	c.names.know(element)
	return true
}

func (c *arrayCut) separate() {
	if c.shown++; c.shown > 1 {
		c.to = append(c.to, ',')
	}
}

// member is a member of an object, with its name in quotation marks.
type member struct{ name, value []byte }

func appendObject(to, value []byte, limit, depth int) []byte {
	room := limit - len(`{,"…":"1,234,567,890 more members"}`)
	if room < leastShare || depth == maxDepth {
		return appendCount(to, countMembers(value), "member")
	}
	var members []member
	var sizes []int
	more := 0
	eachMember(value, func(name, value []byte) {
		least := len(name) + len(`"":,`) + min(len(value), leastShare)
		if more > 0 || least > room {
			more++
			return
		}
		room -= least
		members, sizes = append(members, member{name: rawjson.AppendQuote(nil, string(name)), value: value}), append(sizes, len(value))
	})
	for _, size := range sizes {
		room += min(size, leastShare) // room is for all values now
	}
	shares := newShares(sizes, room)
	to = append(to, '{')
	for i, m := range members {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(append(to, m.name...), ':')
		before := len(to)
		to = appendValue(to, m.value, max(shares.of(len(m.value)), leastShare), depth+1)
		shares.take(len(to) - before)
	}
	if more > 0 {
		if len(members) > 0 {
			to = append(to, ',')
		}
		to = append(to, `"…":`...)
		to = rawjson.AppendQuote(to, counted(more, "more member"))
	}
	return append(to, '}')
}

// shares gives each of several texts its fair share of a room, and what one leaves of its share to the next ones.
type shares struct{ fair, left, given int }

func newShares(sizes []int, room int) shares { return shares{fair: fairShare(sizes, room)} }

// of returns how many bytes the next text may have, of the given size. take must follow.
func (s *shares) of(size int) int {
	s.given = min(size, s.fair)
	return min(size, s.fair+s.left)
}

// take notes how many bytes the text has.
func (s *shares) take(used int) { s.left = max(0, s.left+s.given-used) }

// fairShare returns how many bytes each of several texts may have, so that together they have at most
// total bytes: a shorter text leaves the rest of its share to the others.
func fairShare(sizes []int, total int) int {
	ascending := slices.Sorted(slices.Values(sizes))
	for i, size := range ascending {
		share := total / (len(ascending) - i)
		if size > share {
			return share
		}
		total -= size
	}
	if len(ascending) == 0 {
		return 0
	}
	return ascending[len(ascending)-1]
}

// eachElement calls visit for each element of an array. If the text is not JSON, it stops there.
func eachElement(array []byte, visit func(element []byte)) {
	_ = rawjson.NewScanner().EachElement(array, func(element []byte) error { visit(element); return nil })
}

// eachMember calls visit for each member of an object, as eachElement does.
func eachMember(object []byte, visit func(name, value []byte)) {
	_ = rawjson.NewScanner().EachMember(object, func(name, value []byte) error { visit(name, value); return nil })
}

func countElements(array []byte) (count int) {
	eachElement(array, func([]byte) { count++ })
	return count
}

func countMembers(object []byte) (count int) {
	eachMember(object, func(_, _ []byte) { count++ })
	return count
}
