// Package html writes HTML and SVG. It escapes all texts and values of attributes, and removes links to other
// origins.
//
// Decision: it replaces html/template, which finds methods by name. The linker keeps all methods in a program with
// html/template, which makes each start an eighth slower.
package html
