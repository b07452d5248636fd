// Package textedit reads, sets and deletes members of JSON, TOML and YAML texts and keeps every other
// byte: comments, order, indentation, line ends, a byte order mark. It is for files of users and
// of other programs. Start at [SetJSON], [DeleteJSON], [SetTOML], [DeleteTOML], [SetYAML]
// and [DeleteYAML].
//
// Texts are parsed by hujson, by go-toml and by go-yaml, and cut at the offsets that these report. Every
// result is parsed before it is returned: an edit that would break a text, or that would change anything
// else in a YAML text, fails instead.
package textedit
