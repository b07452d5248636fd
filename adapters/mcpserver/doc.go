// Package mcpserver is the host's side of the wire: an MCP server over one pair of byte streams, for
// both protocol eras, with the tools open_toolbox and use_tool. It reads, frames and writes messages
// in the host's and the servers' own bytes. Start with Server.Serve; conversation.receive handles a
// message, methods is the table of the methods, and use_tool.go makes a call.
//
// A Server is made of parts that share a session and do not know each other: handshake, toolLists, calls, resources,
// prompts and notifications. A conversation reads and writes messages and knows no part.
//
// A Server, its UseCases and its host.Host belong to one host; a Program is for all of them. Package
// wording turns domain values into texts for a model, package host is the host as servers see it;
// neither imports this package.
//
// Locks: every lock guards the fields below it and is held for a moment, with one exception. The
// lock of a request is held while its progress or its answer is written, so that the answer is the
// last message about it. That write can wait for a host that does not read; then only messages about
// the same request wait for the lock.
//
// Decision: what the workbench says itself is made of the types of mcp-go (package mcp), whose names
// of MCP every adapter uses; what only passes through is never decoded into them, since it must keep
// its bytes. The methods are written out here: the server of mcp-go decodes results into its types
// and loses members that it does not know, misses cancellations over a pipe, and has five workers
// there, so that the sixth call waits. It is the oracle of specs. Its cost is no reason: 4 ms of a
// start are one init of the schema library behind it, and without that it costs 0.1 to 0.3 ms.
//
// Decision: a page of tools/list is 4 MiB. A host cannot ask for smaller pages, and one that reads
// only the first page loses tools. A cursor is for one version of the list.
//
// Decision: a request has a context of its own kind (request_context.go). One of the standard library
// costs five allocations and 500 bytes a call. With 64 calls in flight that is 40 % more CPU time
// (make bench), since the heap is small and its garbage is collected more often.
package mcpserver
