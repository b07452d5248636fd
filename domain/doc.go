// Package domain contains the terms of the workbench as values and pure
// functions.
//
// A host is the MCP client that started the workbench. A toolbox is a named
// group of servers in the configuration. A server is a downstream MCP server in
// one toolbox; the same server name in two toolboxes is two servers. A tool is
// a tool of a server.
//
// Raw JSON (definitions, arguments, results) is carried, never decoded. The
// package imports no other package of the project, does no I/O and uses no
// contexts.
//
// Decision: secrets are redacted by value if they are 8 bytes or longer. Redacting
// shorter values would hide ordinary words too.
package domain
