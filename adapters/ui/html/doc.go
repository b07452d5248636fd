// Package html writes HTML and SVG. Whatever it is given as text or as the value of an attribute is escaped,
// and a link leads to the same origin or nowhere.
//
// Decision: it stands in for html/template, which finds methods by name. A program that links that keeps
// every method, and each start of it pays for an eighth more.
package html
