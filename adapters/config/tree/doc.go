// Package tree reads the text of a configuration, JSON with comments and trailing commas, into nodes with their places and key
// paths, and collects what is wrong with them. It knows no key.
//
// A [Findings] keeps the problems and warnings of one file. Its methods that read a value report a value of the wrong kind
// themselves. No problem and no warning shows more of a value than was passed on to it.
package tree
