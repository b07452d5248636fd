package shell

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is rows of text under headings. What servers say in it is made one clean line.
type Table struct {
	Headings []string
	Rows     [][]string
}

// Print prints the table. On a terminal of that many columns it has headings, is
// aligned, and its last column is cut to fit; with 0 columns rows are plain, with a
// tab between cells, for programs to read.
func (t Table) Print(out io.Writer, columns int) error {
	if columns == 0 {
		for _, row := range t.Rows {
			if _, err := fmt.Fprintln(out, strings.Join(cleaned(row), "\t")); err != nil {
				return fmt.Errorf("print a row: %w", err)
			}
		}
		return nil
	}
	rows := [][]string{t.Headings}
	for _, row := range t.Rows {
		rows = append(rows, cleaned(row))
	}
	const between = 2
	left := columns
	last := len(t.Headings) - 1
	for column := range last {
		width := 0
		for _, row := range rows {
			width = max(width, cells(row[column]))
		}
		left -= width + between
	}
	aligned := tabwriter.NewWriter(out, 0, 0, between, ' ', 0)
	for _, row := range rows {
		const least = 8 // so that something is left to read in a narrow terminal
		cut := append(append([]string{}, row[:last]...), Fit(row[last], max(left, least)))
		if _, err := fmt.Fprintln(aligned, strings.TrimRight(strings.Join(cut, "\t"), "\t")); err != nil {
			return fmt.Errorf("print a row: %w", err)
		}
	}
	if err := aligned.Flush(); err != nil {
		return fmt.Errorf("print a table: %w", err)
	}
	return nil
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
