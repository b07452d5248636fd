// Package excerpts cuts results of tools that are too long for a model, along their structure: JSON
// stays JSON, lines stay lines, and each cut says what it left out. It also describes the shape of
// values. It is pure, takes time linear in its input, and trusts no byte of the input.
package excerpts
