// Package apps reads and edits what definitions of tools say about user interfaces: MCP Apps, the
// extension io.modelcontextprotocol/ui (SEP-1865; the specification is specification/2026-01-26/apps.mdx
// of modelcontextprotocol/ext-apps). It edits JSON text, so that whatever is not edited keeps its bytes. It
// does no I/O.
package apps
