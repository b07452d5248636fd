// Package textedit reads, sets and deletes members of JSON and TOML texts and keeps every other
// byte: comments, order, indentation, line ends, a byte order mark. It is for files of users and
// of other programs. Start at [SetJSON], [DeleteJSON], [SetTOML] and [DeleteTOML].
//
// Texts are parsed by hujson and by go-toml, and cut at their offsets. Every result is parsed
// before it is returned: an edit that would break a text fails instead.
package textedit
