package commandline

import (
	"regexp"
	"strings"

	"mcp-workbench/adapters/terminal"
)

var (
	// listItem is the beginning of an item of a list, behind which its further lines are indented.
	listItem = regexp.MustCompile(`^ *([-*]|\d+\.) `)
	// firstColumn is the first column of a list of commands or flags, with the space behind it.
	firstColumn = regexp.MustCompile(`^ +\S.*?\S {2,}`)
)

// WrapText returns a text with its paragraphs and list items on lines that fit a number of columns. Code blocks,
// indented lines, tables and headings keep their lines; so does a word that is longer than a line.
func WrapText(text string, columns int) string {
	w := wrapper{columns: columns}
	for line := range strings.Lines(text) {
		w.add(strings.TrimRight(line, "\r\n"))
	}
	w.end()
	return w.out.String()
}

// wrapper collects the lines of one paragraph.
type wrapper struct {
	columns   int
	out       strings.Builder
	paragraph []string
	indent    string // of the lines of the paragraph after the first
	isCode    bool
	isExample bool // the line before was one of an example
}

// add adds a line to the paragraph, or ends the paragraph before it.
func (w *wrapper) add(line string) {
	item := listItem.FindString(line)
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	wasExample := w.isExample
	w.isExample = false
	switch {
	case strings.HasPrefix(line, "```"):
		w.end()
		w.isCode = !w.isCode
		w.print(line)
	case w.isCode || line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|"):
		w.end()
		w.print(line)
	case item != "" && (!wasExample || indent == ""): // a list in YAML is part of the example
		w.end()
		w.paragraph, w.indent = []string{line}, strings.Repeat(" ", len(item))
	case len(w.paragraph) > 0 && indent == w.indent:
		w.paragraph = append(w.paragraph, line[len(indent):])
	case indent == "":
		w.end()
		w.paragraph, w.indent = []string{line}, ""
	default: // an example, a command or a flag
		w.end()
		w.isExample = true
		hanging := strings.Repeat(" ", len(firstColumn.FindString(line)))
		if hanging == "" || len(hanging) > w.columns/2 {
			hanging = indent + "  "
		}
		w.print(terminal.Hang(line, hanging, w.columns))
	}
}

// end prints the paragraph.
func (w *wrapper) end() {
	if len(w.paragraph) > 0 {
		w.print(terminal.Hang(strings.Join(w.paragraph, " "), w.indent, w.columns))
	}
	w.paragraph = nil
}

func (w *wrapper) print(line string) { w.out.WriteString(line + "\n") }
