package terminal

import (
	"fmt"
	"io"
	"strings"
)

// Table is rows of text under headings. Each cell is shown as OneLine.
type Table struct {
	Headings []string
	Rows     [][]string
}

// Print prints the table. For a terminal with a number of columns, the table is aligned under its
// headings, which are bold, and cut to fit: the last column first, then the widest of the
// others. If the number is 0, Print prints only the rows, with a tab between cells, for programs.
func (t Table) Print(out io.Writer, columns int, paint Paint) error {
	var lines []string
	if columns == 0 {
		for _, row := range t.Rows {
			lines = append(lines, strings.Join(cleanCells(row), "\t"))
		}
	} else {
		lines = t.alignedLines(columns)
		lines[0] = paint(Bold, lines[0])
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

// alignedLines returns the lines of the table with its headings.
func (t Table) alignedLines(columns int) []string {
	rows := [][]string{t.Headings}
	for _, row := range t.Rows {
		rows = append(rows, cleanCells(row))
	}
	widths := make([]int, len(t.Headings))
	for _, row := range rows {
		for column, cell := range row {
			widths[column] = max(widths[column], Cells(cell))
		}
	}
	narrow(widths, columns)
	var lines []string
	for _, row := range rows {
		var line strings.Builder
		for column, cell := range row {
			cell = Fit(cell, widths[column])
			line.WriteString(cell + strings.Repeat(" ", widths[column]-Cells(cell)+between))
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// narrow makes columns narrower until all fit or have their minimum width.
func narrow(widths []int, columns int) {
	const minLast, minOther = 8, 6
	last := len(widths) - 1
	excess := between*last - columns
	for _, width := range widths {
		excess += width
	}
	shrink := func(column, minimum int) {
		by := min(max(widths[column]-minimum, 0), max(excess, 0))
		widths[column] -= by
		excess -= by
	}
	shrink(last, minLast)
	for excess > 0 {
		widest := 0
		for column := range last {
			if widths[column] > widths[widest] {
				widest = column
			}
		}
		if widths[widest] <= minOther {
			return
		}
		shrink(widest, widths[widest]-1)
	}
}

func cleanCells(row []string) []string {
	clean := make([]string, len(row))
	for i, cell := range row {
		clean[i] = OneLine(cell)
	}
	return clean
}
