// Package remote lets commands in a shell use servers of the background workbench. Client is the end of a command: the
// use cases of a workbench in another process. Session is the end of the workbench: it takes the place of the host of
// servers that outlive commands. Both ends are of one build (package background), and exchange JSON-RPC in lines: the
// requests of MCP that a command makes, such as tools/call, and those that servers make of their host.
//
// Decision: a command is not served as other hosts are, by package mcpserver. It names servers instead of opening
// toolboxes, waits for them as long as they take, gets definitions, results and failures whole, and speaks for the
// user, not for a model. So it needs the use cases of the commands list and call, wherever the servers are.
package remote
