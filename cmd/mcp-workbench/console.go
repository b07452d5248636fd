package main

import (
	"os"

	"mcp-workbench/adapters/terminal"
)

// console is the terminal of the program. Every command writes through it, except for messages
// of MCP, so that no text of servers, files or hosts controls the terminal or hides.
var console = consoleOf(os.Stderr)

// consoleOf returns a console whose standard error is a file.
func consoleOf(err *os.File) *terminal.Console { return terminal.NewConsole(os.Stdin, os.Stdout, err) }
