// Package usage computes from a record of activity how tools are used: how often, how fast, how much of it
// failed, and which tools are not used at all.
package usage
