package setup

import (
	"context"

	"mcp-workbench/adapters/lock/lockfile"
)

// The text of the configuration is edited by functions that only this package calls.
var (
	ServersIn    = serversIn
	EmptyText    = emptyText
	AddServer    = addServer
	RemoveServer = removeServer
	MaskedText   = maskedText
	Described    = withRenewedDescriptions
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

// PasswordStore is the password store of this system.
type PasswordStore struct{ passwordStore }

// FindPasswordStore returns it, and whether there is one.
func FindPasswordStore() (PasswordStore, bool) {
	store, found := findPasswordStore()
	return PasswordStore{store}, found
}

// ErrOtherValue means that the store has another value under the name.
var ErrOtherValue = errOtherValue

// Name returns the name of its program.
func (s PasswordStore) Name() string { return s.name }

// Command returns the command that prints the value of a variable.
func (s PasswordStore) Command(variable string) []string { return s.command(variable) }

// Keep stores a value.
func (s PasswordStore) Keep(ctx context.Context, variable, value string) error {
	return s.keep(ctx, variable, value)
}
