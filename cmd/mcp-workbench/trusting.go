package main

import (
	"bytes"
	"errors"
	"path/filepath"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust"
	"mcp-workbench/ports"
)

// trustRecords returns the records of what the user trusts. They are read only when there is a file
// in the working directory.
func trustRecords() *trust.Records {
	return trust.New(func() (string, error) {
		state, err := stateDirectory()
		return filepath.Join(state, "trust"), err
	})
}

// maxLockSize is the largest lock that is read, in bytes.
const maxLockSize = 64 << 20

// lockBeside returns the bytes of the lock beside a configuration, or nil when it cannot be read:
// it allows nothing then.
func lockBeside(path string) []byte {
	text, err := atomicfile.ReadUpTo(lockfile.Beside(path).Path(), maxLockSize)
	if err != nil {
		return nil
	}
	return text
}

// accepted is the file that the user trusts for this run, whether or not that is recorded.
type accepted struct {
	path string
	text []byte
}

// trusts reports whether the user trusts a file of the working directory, and why not.
func (o options) trusts(path string, text []byte) (trusted bool, why string) {
	if o.accepted != nil && o.accepted.path == path && bytes.Equal(o.accepted.text, text) {
		return true, ""
	}
	err := trustRecords().Check(path, text, lockBeside(path))
	switch {
	case err == nil:
		return true, ""
	case errors.Is(err, trust.ErrUnknown):
		return false, ""
	}
	return false, err.Error()
}

// starting returns the options of a command that starts what a configuration says, or hands
// something over to it: the person is asked whether a file of the working directory is to be trusted.
func (o options) starting() options {
	o.untrusted, o.accepted = config.Refused, &accepted{}
	return o
}

// looking returns the options of a command that starts nothing, and so may look at any file.
func (o options) looking() options {
	o.untrusted = config.LookedAt
	return o
}

// loadTrusted loads the configuration. The person is asked once about a file of the working
// directory that is not trusted, and the bytes that they were shown are used.
//
// Failures: with exitUsage, when there is no terminal, or the answer is no.
func (o options) loadTrusted(from config.Options, transports map[string]ports.Transport) (*config.Configuration, error) {
	configuration, err := config.Load(from, transports)
	untrusted, ok := errors.AsType[*config.UntrustedError](err)
	if !ok || o.accepted == nil {
		return configuration, err
	}
	person := terminal.New(console.Err, o.colour)
	if untrusted.Text == nil || !person.IsInteractive() {
		return nil, &exitError{code: exitUsage, err: untrusted}
	}
	if err := person.Print("%s", untrusted.Error()); err != nil {
		return nil, err
	}
	lock := lockBeside(untrusted.Path)
	trusted, err := askToTrust(person, from, untrusted.Path, untrusted.Text)
	if err != nil {
		return nil, err
	}
	if !trusted {
		return nil, &exitError{code: exitUsage, err: errors.New("it is not trusted, and nothing was started")}
	}
	*o.accepted = accepted{untrusted.Path, untrusted.Text}
	if err := trustRecords().Add(untrusted.Path, untrusted.Text, lock); err != nil {
		console.Err.Printf("mcp-workbench: it is trusted for this run only: %v\n", err)
	}
	if configuration, err = config.Load(from, transports); errors.As(err, &untrusted) {
		err = &exitError{code: exitUsage, err: untrusted} // it changed meanwhile
	}
	return configuration, err
}

// sayUntrusted says on stderr that a file of the working directory is not trusted, if that is so.
func sayUntrusted(configuration *config.Configuration) {
	if configuration.Untrusted != nil {
		console.Err.Printf("mcp-workbench: %v\n", configuration.Untrusted)
	}
}
