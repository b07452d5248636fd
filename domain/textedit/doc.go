// Package textedit reads, sets and deletes members of JSON and TOML texts and leaves
// every other byte as it is: comments, order, indentation, line ends, a byte order
// mark. It is for files that belong to somebody else. Start at [SetJSON],
// [DeleteJSON], [SetTOML] and [DeleteTOML].
//
// Texts are parsed by hujson and by go-toml, whose offsets say where to cut. Every
// result is parsed again before it is returned: an edit that would break a text
// fails instead.
package textedit
