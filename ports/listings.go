package ports

import (
	"encoding/json"

	"mcp-workbench/domain"
)

// Listings keeps the tools that servers listed last, from one run of the program to the next.
// Callers must not trust the kept tools: they compare them with the lock before they show them.
// Safe for concurrent use, by other programs too.
type Listings interface {
	// Find returns the tools that the server listed last to a host with these capabilities, with
	// the same settings, in their order and each name once, and whether they are known. The
	// definitions have only the members that a lock holds, in the server's bytes. A listing that
	// cannot be read is not known.
	Find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, known bool)
	// Keep replaces what Find returns. It writes nothing if nothing changed. A failure to
	// write is logged, and leaves what was kept before.
	Keep(server domain.Server, capabilities json.RawMessage, tools []domain.ToolInfo)
}
