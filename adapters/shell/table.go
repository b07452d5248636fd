package shell

import (
	"fmt"
	"io"
	"strings"
)

// Table is rows of text under headings. What servers say in it is made one clean line.
type Table struct {
	Headings []string
	Rows     [][]string
}

// Print prints the table. On a terminal of that many columns it has headings, as bold
// makes them, is aligned, and is cut to fit: the last column first, then the widest of
// the others. With 0 columns rows are plain, with a tab between cells, for programs to
// read.
func (t Table) Print(out io.Writer, columns int, bold func(string) string) error {
	var lines []string
	if columns == 0 {
		for _, row := range t.Rows {
			lines = append(lines, strings.Join(cleaned(row), "\t"))
		}
	} else {
		lines = t.aligned(columns)
		lines[0] = bold(lines[0])
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("print a row: %w", err)
		}
	}
	return nil
}

// between is the space between two columns.
const between = 2

// aligned returns the lines of the table with its headings.
func (t Table) aligned(columns int) []string {
	rows := [][]string{t.Headings}
	for _, row := range t.Rows {
		rows = append(rows, cleaned(row))
	}
	widths := make([]int, len(t.Headings))
	for _, row := range rows {
		for column, cell := range row {
			widths[column] = max(widths[column], cells(cell))
		}
	}
	fit(widths, columns)
	var lines []string
	for _, row := range rows {
		var line strings.Builder
		for column, cell := range row {
			cell = Fit(cell, widths[column])
			line.WriteString(cell + strings.Repeat(" ", widths[column]-cells(cell)+between))
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// fit makes columns narrower until all fit, but leaves something to read in each.
func fit(widths []int, columns int) {
	const minLast, minOther = 8, 6
	last := len(widths) - 1
	over := between*last - columns
	for _, width := range widths {
		over += width
	}
	narrower := func(column, least int) {
		by := min(max(widths[column]-least, 0), max(over, 0))
		widths[column] -= by
		over -= by
	}
	narrower(last, minLast)
	for over > 0 {
		widest := 0
		for column := range last {
			if widths[column] > widths[widest] {
				widest = column
			}
		}
		if widths[widest] <= minOther {
			return
		}
		narrower(widest, widths[widest]-1)
	}
}

func cleaned(row []string) []string {
	clean := make([]string, len(row))
	for i, cell := range row {
		clean[i] = oneLine(cell)
	}
	return clean
}

// Fit cuts a line to that many columns, with an ellipsis.
func Fit(line string, columns int) string {
	if cells(line) <= columns {
		return line
	}
	taken := 1 // by the ellipsis
	for i, r := range line {
		if taken += cellsOf(r); taken > columns {
			return strings.TrimRight(line[:i], " ") + "…"
		}
	}
	return line
}

// cells returns how many columns a line takes at most.
func cells(line string) int {
	count := 0
	for _, r := range line {
		count += cellsOf(r)
	}
	return count
}

// firstWide is the first character that some terminal shows in two columns
// (Unicode Standard Annex 11, Hangul Jamo). General punctuation behind it is narrow.
const firstWide = 0x1100

func cellsOf(r rune) int {
	const punctuation, arrows = 0x2000, 0x2E80
	if r < firstWide || punctuation <= r && r < arrows {
		return 1
	}
	return 2
}
