package setup

import "mcp-workbench/adapters/lock/lockfile"

// The text of the configuration is edited by functions that only this package calls.
var (
	ServersIn    = serversIn
	EmptyText    = emptyText
	AddServer    = addServer
	RemoveServer = removeServer
	MaskedText   = maskedText
	Described    = described
)

// The program is replaced by functions that only this package calls.
var (
	ReplaceProgram = replaceProgram
	SetAside       = setAside
)

// DuringMove calls a function while the lock beside a configuration, which had a text, gives its place to
// another one.
func DuringMove(configuration, before string, write func() error) error {
	lock := movedLock{file: lockfile.Beside(configuration), before: []byte(before)}
	return lock.during(write)
}
