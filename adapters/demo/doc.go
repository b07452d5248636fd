// Package demo is a small MCP server with tools that do something, for showing
// the workbench at work on a machine that has no other server.
package demo
