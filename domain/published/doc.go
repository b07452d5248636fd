// Package published plans how a server of a registry of MCP servers runs here: which of its packages or addresses is
// taken, what it asks the user for, and the settings that follow, with what needs care in them. It is pure.
//
// A registry describes a server in the form of server.json (modelcontextprotocol/registry,
// docs/reference/server-json/server.schema.json of 2025-12-11) and answers with it as ServerResponse of its API v0.1
// (docs/reference/api/openapi.yaml). Every text in it was written by somebody else, so a text that would read variables
// of the user ("${NAME}") is refused, and options that are not known to be harmless need care.
package published
