// Package help finds the sections of help topics and shows long ones in a pager. A topic is a
// Markdown text with one title and sections of two levels (## and ###). The texts themselves
// are embedded by the program.
package help
