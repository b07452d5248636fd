package main

import (
	"log/slog"

	"mcp-workbench/adapters/downstream/stdio/watchdog"
	"mcp-workbench/adapters/system/ownprogram"
)

// watchdogArgument makes the program a watchdog. It is not a command, since a watchdog must stay
// small.
const watchdogArgument = "__watchdog"

// selectionArgument makes the program run a jq program or a regular expression over a result. It is
// not a command, since users never type it.
const selectionArgument = "__selection"

// newGuard returns the guard whose watchdog is this program.
func newGuard(log *slog.Logger) *watchdog.Guard {
	return watchdog.New(log, func() []string { return []string{ownprogram.Path(), watchdogArgument} })
}
