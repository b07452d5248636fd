// Package help finds the sections of help topics and shows long texts in a pager. A topic is a
// Markdown text with a title and nested sections (## and deeper). The program embeds the texts.
package help
