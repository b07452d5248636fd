// Command mcp-workbench is an MCP server that brings in other MCP servers,
// grouped into toolboxes.
package main

import (
	"os"

	"mcp-workbench/adapters/downstream/stdio/watchdog"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == watchdogArgument {
		watchdog.Run(os.Stdin)
		return
	}
	os.Exit(run(os.Args[1:]))
}
