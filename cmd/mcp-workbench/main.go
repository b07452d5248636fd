// Command mcp-workbench is an MCP server that brings in other MCP servers,
// grouped into toolboxes.
//
// Decision: Wire is used in this package only. To stop using it, rename one
// generated file.
//
// Decision: log lines are redacted where they are written, for all servers, whatever they contain.
//
// Decision: the program is built without cgo, so that one file runs on every Linux: with it, package net
// would need the libc of the machine.
package main

import (
	"os"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/selection"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/adapters/terminal"
)

// console is the terminal of the program. Every command writes through it, except for messages
// of MCP, so that no text from servers, files or hosts can control the terminal or hide there.
var console = terminal.NewConsole(os.Stdin, os.Stdout, os.Stderr)

// Arguments that make the program one of its own helpers. They are not commands, since users never type them.
const (
	watchdogArgument   = "__watchdog"
	selectionArgument  = "__selection"  // runs a jq program or a regular expression over a result
	backgroundArgument = "__background" // followed by a key, serves hosts whose bridges connect
)

func main() {
	ownprocess.KeepDescriptors()
	if len(os.Args) == 2 && os.Args[1] == watchdogArgument {
		processtree.RunWatchdog(os.Stdin)
		return
	}
	if len(os.Args) == 3 && os.Args[1] == backgroundArgument {
		runBackground(os.Args[2])
		return
	}
	if len(os.Args) == 2 && os.Args[1] == selectionArgument {
		selection.Run(os.Stdin, os.Stdout)
		return
	}
	console.BeforeEnd = ownprocess.BeforeEnd
	console.Settle = ownprocess.OnInterrupt(func() {
		if console.Interrupt(interruptedLine) {
			os.Exit(exitInterrupted)
		}
	})
	os.Exit(run(os.Args[1:]))
}
