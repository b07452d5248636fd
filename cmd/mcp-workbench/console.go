package main

import (
	"os"

	"mcp-workbench/adapters/terminal"
)

// console is what people read and type on. Every command writes through it, but for
// messages of MCP, so that no text of servers, files or hosts controls a terminal or hides.
var console = terminal.NewConsole(os.Stdin, os.Stdout, os.Stderr)
