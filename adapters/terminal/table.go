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
// headings, which are bold, as Lines does. If the number is 0, Print prints only the rows, with a tab
// between cells, for programs.
func (t Table) Print(out io.Writer, columns int, paint Paint) error {
	var lines []string
	if columns == 0 {
		for _, row := range t.Rows {
			lines = append(lines, strings.Join(cleanCells(row), "\t"))
		}
	} else {
		lines = t.Lines(columns)
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

// maxName is the maximum number of columns of a cell, since servers choose the names of their tools.
const maxName = 256

// Lines returns the headings and the rows, aligned for a number of columns. The last column is cut to fit, or
// left out where the others need the space, and so are the columns before it. Cells of other columns have
// up to 256 columns, since rows may differ only at their ends: the row goes on below a long cell.
func (t Table) Lines(columns int) []string {
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
	last := len(widths) - 1
	widths = narrow(widths, columns)
	var lines []string
	for _, row := range rows {
		var line strings.Builder
		indent := 0
		for column, width := range widths {
			longest := maxName
			if column == last {
				longest = width
			}
			cell := Fit(row[column], longest)
			line.WriteString(cell)
			indent += width + between
			if Cells(cell) > width && column < len(widths)-1 {
				line.WriteString("\n" + strings.Repeat(" ", indent))
			} else {
				line.WriteString(strings.Repeat(" ", max(width-Cells(cell), 0)+between))
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " \n"))
	}
	return lines
}

// narrow returns the widths of the columns that fit into a number of columns: all, or the first ones.
func narrow(widths []int, columns int) []int {
	const minLast = 8
	minOther, last := min(16, columns/4), len(widths)-1
	minimum := func(column int) int {
		if column == last {
			return min(widths[column], minLast)
		}
		return min(widths[column], minOther)
	}
	shown, taken := 0, -between
	for shown < len(widths) && (shown == 0 || taken+between+minimum(shown) <= columns) {
		taken += between + minimum(shown)
		shown++
	}
	narrowed := make([]int, shown)
	for column := range narrowed {
		narrowed[column] = minimum(column)
	}
	widen := func(column int) {
		more := min(widths[column]-narrowed[column], max(columns-taken, 0))
		narrowed[column] += more
		taken += more
	}
	if shown < len(widths) {
		widen(shown - 1) // its cells are whole, and nothing comes after them
	}
	// The columns share what is left, the last one comes after the others.
	for column := range narrowed {
		widen(column)
	}
	return narrowed
}

func cleanCells(row []string) []string {
	clean := make([]string, len(row))
	for i, cell := range row {
		clean[i] = OneLine(cell)
	}
	return clean
}
