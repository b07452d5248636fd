// Package registry asks a registry of MCP servers, over its API v0.1, for commands of the user: never while hosts are
// served. The API is described in modelcontextprotocol/registry, docs/reference/api/openapi.yaml (2025-12-01): GET
// /v0.1/servers lists servers (cursor, limit, search, version), GET /v0.1/servers/{serverName}/versions those of one
// server, and GET …/versions/{version} one of them, where "latest" is the newest.
//
// A registry may be wrong or hostile, so all that it answers is bounded: 8 MiB and limits.registry for an answer, five
// pages for a search, redirects within its origin. An entry that cannot be read is left out of a list, and an answer
// about another server than the one that was asked for is refused.
//
// It also plans how a server of a registry runs here: which of its packages or addresses is taken, what it asks the
// user for, and the settings that follow, with what needs care in them. A registry describes a server in the form of
// server.json (docs/reference/server-json/server.schema.json of 2025-12-11). Every text in it was written by somebody
// else, so a text that would read variables of the user ("${NAME}") is refused, and options that are not known to be
// harmless need care.
package registry
