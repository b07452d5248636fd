package terminal

import (
	"strings"
)

// wrapText breaks lines that do not fit the terminal between words. It does not break a word that is longer
// than a line, so that it can be copied.
func (t *Terminal) wrapText(text string) string {
	columns := t.out.Columns()
	if columns == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Wrap(line, columns)
	}
	return strings.Join(lines, "\n")
}

// Wrap breaks one line between words so that it fits a number of columns. Further lines are indented by two
// more columns. It does not break a word that is longer than a line.
func Wrap(line string, columns int) string {
	const deeper = 2
	return Hang(line, strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " "))+deeper), columns)
}

// Hang is Wrap with the indentation of further lines.
func Hang(line, indent string, columns int) string {
	if Cells(line) <= columns {
		return line
	}
	var out strings.Builder
	taken := 0
	for i, word := range strings.Split(line, " ") {
		length := Cells(word)
		switch {
		case i == 0:
		case taken+1+length > columns && taken > len(indent):
			out.WriteString("\n" + indent)
			taken = len(indent)
		default:
			out.WriteByte(' ')
			taken++
		}
		out.WriteString(word)
		taken += length
	}
	return out.String()
}
