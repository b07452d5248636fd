package domain

// LockChange is the effect of a lock that changed while the program runs, as a clause after "the
// lock changed".
type LockChange string

// The changes.
const (
	// LockRestricts is a lock that lost something.
	LockRestricts LockChange = "and allows less, which takes effect now"
	// LockWaits is a lock that gained something, and may have lost something.
	LockWaits LockChange = "while the workbench runs: what it no longer allows is refused now, and what it newly allows takes effect at the next start, " +
		"or once `mcp-workbench lock --update` has run in a terminal"
	// LockApproved is a lock that the user approved in a terminal.
	LockApproved LockChange = "and takes effect, since the user approved it in a terminal"
	// LockBroke is a lock that can no longer be read.
	LockBroke LockChange = "and cannot be read, so no tool counts as locked"
	// LockRemoved is a lock whose file was removed.
	LockRemoved LockChange = "since its file was removed: its contents stay in force, except with \"pinning\": \"block\", which then allows no tool"
)
