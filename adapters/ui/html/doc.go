// Package html writes HTML and SVG. It escapes all texts and values of attributes, and removes links to other
// origins.
//
// Decision: pages are functions that write elements, so the compiler checks them. html/template would escape as well.
package html
