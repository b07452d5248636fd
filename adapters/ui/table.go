package ui

import "mcp-workbench/adapters/ui/html"

// column is a column of a table: its heading and class.
type column struct{ title, class string }

// grid writes a table. Its elements have explicit roles, since its rows have another layout on a narrow
// screen.
type grid struct{ w *html.Writer }

// newTable begins a table with a caption that only screen readers read. The caller ends it.
func newTable(w *html.Writer, class, caption string, columns []column) grid {
	t := beginTable(w, class, caption)
	for _, c := range columns {
		w.Element("th", c.title, "role", "columnheader", "scope", "col", html.When(c.class != "", "class"), c.class)
	}
	t.body()
	return t
}

// beginTable begins a table. The caller then writes its headings and calls body.
func beginTable(w *html.Writer, class, caption string) grid {
	w.Start("table", "role", "table", "class", class).Element("caption", caption, "class", "unseen")
	w.Start("thead", "role", "rowgroup").Start("tr", "role", "row")
	return grid{w}
}

// body ends the headings.
func (t grid) body() { t.w.End().End().Start("tbody", "role", "rowgroup") }

// row begins a row. The script recognizes the row by the key, "" for none.
func (t grid) row(key string) {
	t.w.Start("tr", "role", "row", html.When(key != "", "data-key"), key)
}

// head begins the cell that names its row.
func (t grid) head(class string) *html.Writer {
	return t.w.Start("th", "role", "rowheader", "scope", "row", html.When(class != "", "class"), class)
}

// cell begins a cell. On a narrow screen, its label is shown beside it, "" for none.
func (t grid) cell(class, label string) *html.Writer {
	return t.w.Start("td", "role", "cell", html.When(class != "", "class"), class, html.When(label != "", "data-label"), label)
}

// text writes a cell with a text.
func (t grid) text(class, label, text string) { t.cell(class, label).Text(text).End() }

// end ends the table.
func (t grid) end() { t.w.End().End() }
