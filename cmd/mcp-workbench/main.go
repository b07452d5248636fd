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
