// Package ownprocess is about the process of this program: what the operating system counts about it, what the programs
// that it starts get of it, and the signals that it receives, as cancelled contexts and requests to reload the
// configuration. It also lets a program restore the terminal before a signal ends it.
package ownprocess
