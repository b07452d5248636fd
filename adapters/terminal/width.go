package terminal

import "strings"

// Fit cuts a line to a number of columns, with an ellipsis.
func Fit(line string, columns int) string {
	if Cells(line) <= columns {
		return line
	}
	taken := 1 // the ellipsis
	for i, r := range line {
		if taken += cellsOf(r); taken > columns {
			return strings.TrimRight(line[:i], " ") + "…"
		}
	}
	return line
}

// Cells returns the maximum number of columns that a line takes. Colours take none.
func Cells(line string) int {
	count := 0
	for i, piece := range strings.Split(line, colourMark) {
		if i > 0 {
			_, piece, _ = strings.Cut(piece, "m")
		}
		for _, r := range piece {
			count += cellsOf(r)
		}
	}
	return count
}

// firstWide is the first character that any terminal shows in two columns (Unicode Standard Annex 11,
// Hangul Jamo). General punctuation after it takes one column.
const firstWide = 0x1100

func cellsOf(r rune) int {
	const punctuation, arrows = 0x2000, 0x2E80
	if r < firstWide || punctuation <= r && r < arrows {
		return 1
	}
	return 2
}
