// Package domain holds the words of the workbench as values and pure
// functions.
//
// A host is the MCP client that started the workbench. A toolbox is a named
// group of servers in the configuration. A server is a downstream MCP server in
// one toolbox; the same server name in two toolboxes is two servers. A tool is
// a tool of a server.
//
// Raw JSON (definitions, arguments, results) is carried here, never decoded. The package imports no other package of the project,
// does no I/O and knows no context.
//
// Decision: secrets are hidden by value, from 8 bytes on. If shorter
// values were hidden, ordinary words would be too.
package domain
