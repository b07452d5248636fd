// Package mcpserver is the host's side of the workbench: an MCP server over one
// pair of byte streams with the tools open_toolbox and use_tool. It reads,
// frames and writes messages itself, in the host's and the servers' own bytes;
// it serves both protocol eras on one pipe. The definitions of its tools, and the
// texts of failures and warnings, are in package present; reasons why a server
// cannot be reached come from the use cases and the transports.
//
// Decision: the methods are written out here. The server of mcp-go costs 4.5 ms at
// start-up (schema tables) and 95 allocations a call, and loses members that it does
// not know. mcp-go supplies the names of the protocol and what 2026-07-28 puts into
// headers; its server is the oracle of specs.
//
// Decision: a page of tools/list is 4 MiB. A host cannot ask for smaller pages, and
// one that reads no second page loses tools. A cursor is for one version of the
// list.
package mcpserver
