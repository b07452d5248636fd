// Package following reads the configuration again while the program runs: when its file changes, when the
// user trusts another one, and when a signal asks for it. What becomes of a new configuration is decided
// in package application.
package following
