package ui

import "html/template"

// page is the content of a page between its header and its footer.
type page struct {
	// Title is its heading, Section the path of its section in the navigation.
	Title, Section string
	// Spanned says that the user can choose a span.
	Spanned bool
	Parts   []part
	// missing says that the subject of the page does not exist.
	missing bool
	// Changing says that parts change while the page is open.
	Changing bool
}

// part is a section of a page, which may be replaced while the page is open.
type part struct {
	ID string
	// Title is its heading, "" for none.
	Title string
	// Wide says that the part takes the whole width of the page.
	Wide    bool
	Content template.HTML
}
