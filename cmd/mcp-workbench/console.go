package main

import (
	"os"

	"mcp-workbench/adapters/terminal"
)

// console is the terminal of the program. Every command writes through it, except for messages
// of MCP, so that no text from servers, files or hosts can control the terminal or hide there.
var console = terminal.NewConsole(os.Stdin, os.Stdout, os.Stderr)
