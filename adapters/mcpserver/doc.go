// Package mcpserver is the host's side of the workbench: an MCP server over one
// pair of byte streams with the tools open_toolbox and use_tool. It reads,
// frames and writes messages itself, in the host's and the servers' own bytes;
// mcp-go's MCPServer gives the protocol its meaning, for both eras on one pipe.
// All wording that a model reads is in this package.
package mcpserver
