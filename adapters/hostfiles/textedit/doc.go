// Package textedit reads, sets and deletes members of JSON, TOML and YAML texts and keeps every other
// byte: comments, order, indentation, line ends, a byte order mark. It is for files of users and
// of other programs. Start at [Format].
//
// JSON is edited in the tree of hujson, which has every byte. Texts in TOML and YAML are parsed by go-toml and by
// go-yaml, and cut at the offsets that these report. Every result is parsed before it is returned: an edit that
// would break a text, or that would change anything else in a YAML text, fails instead.
//
// Decision: go-yaml does not print YAML texts. It loses line ends of Windows, blank lines, blanks before values, and the
// lines of values that span several, of a file that was not even edited.
package textedit
