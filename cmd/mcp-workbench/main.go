// Command mcp-workbench is an MCP server that brings in other MCP servers,
// grouped into toolboxes.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:]))
}
