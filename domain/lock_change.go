package domain

// LockChange is the effect of a lock that changed while the program runs, as a clause after "the
// lock changed".
type LockChange string

// The changes.
const (
	// LockRestricts is a lock that lost something.
	LockRestricts LockChange = "and allows less, which counts now"
	// LockWaits is a lock that gained something, and may have lost something.
	LockWaits LockChange = "while the workbench runs: what it no longer allows counts now, and what it newly allows from the next start, or " +
		"once `mcp-workbench lock --update` was run in a terminal"
	// LockApproved is a lock that the user approved in a terminal.
	LockApproved LockChange = "and counts, since the user approved it in a terminal"
	// LockBroke is a lock that can no longer be read.
	LockBroke LockChange = "and cannot be read, so no tool counts as locked"
	// LockRemoved is a lock whose file was removed.
	LockRemoved LockChange = "since its file was removed: what it held stays in force, but for \"pinning\": \"block\", by which no tool is known then"
)
