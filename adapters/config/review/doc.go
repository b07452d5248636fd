// Package review says what a state of a server gives, and what a change of it gives that the state before did not: what runs, from
// which package, where it talks, which variables and secrets go there, which protections get weaker. It walks the description of
// the keys, so that each key counts by its traits, whatever its name is. All commands that show such a change show these lines.
//
// Decision: what a user wrote in the command that adds a server is their own, so options and variables that are code need care only
// in a server that someone else described, and in any server that had other ones before.
package review
