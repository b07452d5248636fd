// Package following reads the configuration again while the program runs: when its file changes, when the
// user trusts another file, and when a signal asks for it. Package application decides what to do with a
// new configuration.
package following
