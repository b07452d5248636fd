// Package usage computes from a record of activity how tools are used: how often they are called, how long
// calls take, how many fail, and which tools are not used at all.
package usage
