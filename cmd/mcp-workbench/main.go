// Command mcp-workbench is an MCP server that brings in other MCP servers,
// grouped into toolboxes.
package main

import (
	"os"
	"runtime"

	"mcp-workbench/adapters/downstream/stdio/watchdog"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == watchdogArgument {
		watchdog.Run(os.Stdin)
		return
	}
	runtime.GOMAXPROCS(max(processors, runtime.GOMAXPROCS(0)))
	os.Exit(run(os.Args[1:]))
}

// processors is how many of the scheduler's processors there are at least. Reads
// of pipes block a thread each and keep its processor for a moment; with spare
// ones, nobody has to take it away before other work goes on, on however few
// cores.
const processors = 4
