package textedit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// remove implements DeleteJSON.
func (d *jsonDocument) remove(path []string) ([]byte, error) {
	in, depth, err := d.find(path[:len(path)-1])
	found := memberIndexes(in, path[depth])
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
	}
	list, out := members(in), slices.Clone(d.text)
	last := len(list) - 1 // of those that are left
	// A cut moves only what comes after it.
	for _, index := range slices.Backward(found) {
		start, end := list[index].Name.StartOffset, list[index].Value.EndOffset
		comma, follows := commaAfter(out, list[index].Value, in.EndOffset-1-(len(d.text)-len(out)))
		if follows {
			out = slices.Delete(out, comma, comma+1)
		}
		start, end = d.widen(out, start, end, index == last)
		out = slices.Delete(out, start, end)
		if !follows && index > 0 {
			before, _ := commaAfter(d.text, list[index-1].Value, start)
			out = slices.Delete(out, before, before+1)
		}
		if index == last {
			last--
		}
	}
	if last < 0 {
		out = collapse(out, in)
	}
	return out, nil
}

// widen extends a cut by its white space: to whole lines, if nothing else is on them, or to the
// space before it. With the last member goes the line end before it, which was inserted with it, but not blanks
// behind it, which were behind the member before it.
func (d *jsonDocument) widen(text []byte, start, end int, isLast bool) (from, to int) {
	line, blankBefore := lineStart(text, start)
	next, blankAfter := lineEnd(text, end)
	switch {
	case blankBefore && blankAfter && isLast:
		return withoutLineEnd(text, line), end
	case blankBefore && blankAfter:
		return line, next
	case blankBefore:
		return start, end + len(text[end:]) - len(bytes.TrimLeft(text[end:], " \t"))
	}
	return start - (len(text[line:start]) - len(bytes.TrimRight(text[line:start], " \t"))), end
}

// collapse writes an object that has become empty, and contains no comment, as "{}". The
// offsets are those before the cut.
func collapse(text []byte, in hujson.Value) []byte {
	open := in.StartOffset + 1
	inside := len(text[open:]) - len(bytes.TrimLeft(text[open:], " \t\r\n"))
	if text[open+inside] != '}' {
		return text
	}
	return splice(text, open, open+inside, "")
}
