package ports

import (
	"encoding/json"
	"time"

	"mcp-workbench/domain"
)

// MaxKeptList is the size in bytes up to which the definitions of a list are kept.
const MaxKeptList = 16 << 20

// Listings keeps what servers listed last, from one run of the program to the next. Callers must not trust it: they
// compare the tools with a lock that is in force before they show them, and with the server's own list before they call
// one. Safe for concurrent use, by other programs too.
type Listings interface {
	// Find returns what the server listed last to a host with these capabilities, with the same settings and
	// preferably in the same folder, and whether it is known. A listing that cannot be read is not known.
	Find(server domain.Server, capabilities json.RawMessage) (list KeptList, known bool)
	// Keep makes Find return the list, as one of this folder and of today. It writes nothing if nothing changed. A
	// list over MaxKeptList is not kept. That is logged, and so is a failure to write.
	Keep(server domain.Server, capabilities json.RawMessage, list KeptList)
	// Forget makes Find know nothing, since the server could not be started.
	Forget(server domain.Server, capabilities json.RawMessage)
}

// KeptList is what a server listed last.
type KeptList struct {
	// Tools are in the server's order, each name once, with definitions in its bytes.
	Tools []domain.ToolInfo
	// Instructions is the text in the server's handshake, "" for none.
	Instructions string
	// Prompts and Resources are set if the server has prompts and resources.
	Prompts, Resources bool
	// Elsewhere is set when the server was never seen to list anything in this folder, and listed this in another one.
	Elsewhere bool
	// Listed is when the server was last seen to list this, to the day.
	Listed time.Time
}
