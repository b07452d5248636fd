// Package demo is a small MCP server with working tools, to show the workbench on a machine
// without other servers.
package demo
