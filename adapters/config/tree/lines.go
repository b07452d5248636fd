package tree

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// lines finds the line of an offset.
type lines struct {
	data   []byte
	starts []int
}

func newLines(data []byte) lines {
	starts := []int{0}
	for from := 0; ; {
		end := bytes.IndexByte(data[from:], '\n')
		if end < 0 {
			return lines{data: data, starts: starts}
		}
		from += end + 1
		starts = append(starts, from)
	}
}

// line returns the number of the line with the offset, from 1.
func (l lines) line(offset int) int {
	line, exact := slices.BinarySearch(l.starts, offset)
	if exact {
		line++
	}
	return line
}

// cursor turns ascending offsets into positions in one pass over the data, since a file
// may be one long line.
type cursor struct {
	lines
	offset, column int // the column of offset, from 0
}

// position returns the line and the column of the offset, both from 1.
func (c *cursor) position(offset int) (line, column int) {
	line = c.line(offset)
	if start := c.starts[line-1]; start > c.offset {
		c.offset, c.column = start, 0
	}
	c.column += utf8.RuneCount(c.data[c.offset:offset])
	c.offset = offset
	return line, c.column + 1
}
