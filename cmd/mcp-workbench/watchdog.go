package main

import (
	"log/slog"
	"os"

	"mcp-workbench/adapters/downstream/stdio/watchdog"
)

// watchdogArgument makes the program a watchdog. It is not a command, since a watchdog must stay
// small.
const watchdogArgument = "__watchdog"

// selectionArgument makes the program run a jq program or a regular expression over a result. It is
// not a command, since nobody types it.
const selectionArgument = "__selection"

// newGuard returns the guard whose watchdog is this program.
func newGuard(log *slog.Logger) *watchdog.Guard {
	return watchdog.New(log, func() []string { return []string{ownProgram(), watchdogArgument} })
}

// ownProgram returns a path to this program.
func ownProgram() string {
	path, err := os.Executable()
	if err == nil {
		if _, err = os.Stat(path); err == nil {
			return path
		}
	}
	return "/proc/self/exe" // on Linux this is the program even if its file is gone
}
