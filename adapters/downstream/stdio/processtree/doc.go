// Package processtree knows which processes there are and which of them a program
// has started, and signals processes without ever hitting one that came later
// under the same number.
package processtree
