package trust

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Consent knows what the user trusts: what is recorded, and what they accepted in this run.
type Consent struct {
	Records *Records
	// Accepted is the file that the user accepted in this run, nil if they are not to be asked.
	Accepted *Accepted
	// Screen is where they are asked, and Colour one of terminal.ColourModes.
	Screen *terminal.Output
	Colour string
	// Masked returns the text of a configuration with its secrets masked.
	Masked func(text []byte) []byte
}

// Accepted is a file that the user trusts for one run, whether or not that is recorded.
type Accepted struct {
	// UsesOwn says that without their trust the user's own configuration is used, as for hosts.
	UsesOwn bool

	isDeclined bool
	path       string
	text       []byte
	values     map[string]string // from other files, by their variables
}

// RefusedError says why a file is not used: it is not trusted, or it cannot be trusted.
type RefusedError struct{ error }

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.error }

// LockBeside returns the bytes of the lock beside a configuration, or nil when it cannot be read:
// it allows nothing then.
func LockBeside(path string) []byte {
	text, err := lockfile.Beside(path).Text()
	if err != nil {
		return nil
	}
	return text
}

// Add records that the user trusts a file, with the lock beside it.
func (c Consent) Add(path string, text []byte) error {
	return c.Records.Add(path, text, LockBeside(path), c.said(path, text))
}

// said returns what a file and the lock beside it say.
func (c Consent) said(path string, text []byte) Said {
	return Said{File: string(c.Masked(text)), Lock: heldBy(lockfile.Beside(path))}
}

// RenewLock records that this program replaced the lock beside a trusted file, whose bytes were before. If that
// fails, the screen says so.
func (c Consent) RenewLock(path string, before []byte) {
	if err := c.Records.RenewLock(path, before, LockBeside(path), heldBy(lockfile.Beside(path))); err != nil {
		c.Screen.Printf("mcp-workbench: the lock was written, and %s has to be trusted again: %v\n", path, err)
	}
}

// Trusts reports whether the user trusts a file of the working directory, and why not
// (config.Options.Trusts).
func (c Consent) Trusts(path string, text []byte) (trusted bool, why string) {
	if c.Accepted != nil && c.Accepted.path == path && bytes.Equal(c.Accepted.text, text) {
		return true, ""
	}
	err := c.Records.Check(path, text, LockBeside(path))
	if err == nil || errors.Is(err, ErrUnknown) {
		return err == nil, ""
	}
	return false, err.Error()
}

// TrustsValues returns why the user does not trust values from other files that decide something in a trusted file, ""
// if they do (config.Options.TrustsValues).
func (c Consent) TrustsValues(path string, values []config.FileValue) (why string) {
	trusts := c.Records.HasValue(path)
	for _, value := range values {
		if c.Accepted != nil && c.Accepted.path == path {
			if accepted, ok := c.Accepted.values[value.Variable]; ok && accepted == value.Value {
				continue
			}
		}
		if !trusts(value.Variable, value.Value) {
			return fmt.Sprintf("the value of %s in %s, which decides %s, is not the one that was trusted", value.Variable, value.File, value.Decides)
		}
	}
	return ""
}

// Watch watches the record that the user trusts a configuration that was found in the working directory,
// and the configuration too while it is not trusted. Without such a configuration it watches nothing. It
// calls watch with each path and with the file as last seen there, nil for none.
func (c Consent) Watch(configuration *config.Configuration, watch func(path string, seen fs.FileInfo)) {
	path, isTrusted := configuration.Path, configuration.Origin == config.FromWorkingDirectory
	if configuration.Untrusted != nil {
		path, isTrusted = configuration.Untrusted.Path, false
		seen, _ := os.Stat(path) // a missing file counts once it is there again
		watch(path, seen)
	}
	if path == "" || !isTrusted && configuration.Untrusted == nil {
		return
	}
	record, err := c.Records.Place(path)
	if err != nil {
		return // then trust cannot be recorded
	}
	var seen fs.FileInfo
	if isTrusted { // otherwise a record that is there already may be newer than the start
		if seen, err = os.Stat(record); err != nil {
			seen = configuration.File // it was there at the start, so this counts as a change
		}
	}
	watch(record, seen)
}

// valuesOf returns the values from other files that are a part of the trust in a configuration.
func valuesOf(configuration *config.Configuration) map[string]string {
	values := map[string]string{}
	for _, value := range configuration.Values {
		values[value.Variable] = value.Value
	}
	return values
}

// Load loads the configuration. The user is asked once about a file of the working directory that
// is not trusted, and the bytes that they were shown are used.
//
// Failures: those of config.Load; *RefusedError when there is no terminal, or the answer is no, unless the user's own
// configuration is used then.
func (c Consent) Load(from config.Options, transports map[string]ports.Transport) (*config.Configuration, error) {
	configuration, err := config.Load(from, transports)
	untrusted, ok := errors.AsType[*config.UntrustedError](err)
	if !ok || c.Accepted == nil {
		return configuration, err
	}
	if !c.Accepted.isDeclined {
		err = c.askAbout(untrusted, from, transports)
		_, c.Accepted.isDeclined = errors.AsType[*RefusedError](err)
		if err != nil && (!c.Accepted.isDeclined || !c.Accepted.UsesOwn) {
			return nil, err
		}
	}
	if c.Accepted.isDeclined {
		from.Untrusted = config.LeftOut
	}
	if configuration, err = config.Load(from, transports); errors.As(err, &untrusted) {
		err = &RefusedError{untrusted} // it changed meanwhile
	}
	return configuration, err
}

// askAbout shows a file and asks whether the user trusts it. Failures: *RefusedError; those of show.
func (c Consent) askAbout(untrusted *config.UntrustedError, from config.Options, transports map[string]ports.Transport) error {
	user := terminal.New(c.Screen, c.Colour)
	if untrusted.Text == nil || !user.IsInteractive() {
		return &RefusedError{untrusted}
	}
	if err := user.Print("%s", untrusted.Error()); err != nil {
		return err
	}
	lock := LockBeside(untrusted.Path)
	trusted, shown, err := c.ask(user, from, transports, untrusted)
	switch {
	case err != nil:
		return err
	case !trusted:
		return &RefusedError{errors.New("it is not trusted, and nothing was started")}
	}
	c.Accepted.path, c.Accepted.text, c.Accepted.values = untrusted.Path, untrusted.Text, shown.values
	if err := c.add(untrusted.Path, untrusted.Text, lock, shown); err != nil {
		c.Screen.Printf("mcp-workbench: it is trusted for this run only: %v\n", err)
	}
	return nil
}

// shownFile holds what trust shows of a file besides its text. The trust in the file covers it.
type shownFile struct {
	// values are those from other files, by the names of their variables.
	values map[string]string
	// plugins are those of its toolboxes.
	plugins []*ReviewedPlugin
	// needsCare says that a line is about what gives more than a server needs.
	needsCare bool
}

// add records that the user trusts a file as it was shown, with its plugins.
func (c Consent) add(path string, text, lock []byte, shown *shownFile) error {
	if err := c.Records.AddWith(path, text, lock, shown.values, c.said(path, text)); err != nil {
		return err
	}
	for _, reviewed := range shown.plugins {
		if err := c.AddPlugin(reviewed); err != nil {
			return err
		}
	}
	return nil
}

// show shows what a file would run. A file with mistakes is a failure, since what it would run
// without them is unknown.
func (c Consent) show(
	user *terminal.Terminal, from config.Options, transports map[string]ports.Transport, file *config.UntrustedError,
) (shown *shownFile, err error) {
	from.MakesLock = true // the lock is written after the file is trusted
	from.Reviewed = true
	from.Origin = config.FromWorkingDirectory
	configuration, err := config.Check(from, file.Path, file.Text, transports)
	if err != nil {
		return nil, err
	}
	if err := user.Print("%s would start and reach, with your rights:", file.Path); err != nil {
		return nil, err
	}
	shown = &shownFile{values: valuesOf(configuration)}
	for _, line := range c.review(configuration, transports, file) {
		shown.needsCare = shown.needsCare || needsCare(line)
		if err := user.Print("  %s", domain.ReviewLine(line)); err != nil {
			return nil, err
		}
	}
	for _, used := range configuration.Plugins {
		shown.plugins = append(shown.plugins, &ReviewedPlugin{UsedPlugin: used})
	}
	return shown, nil
}

// ask shows what a file would run, and asks.
func (c Consent) ask(
	user *terminal.Terminal, from config.Options, transports map[string]ports.Transport, file *config.UntrustedError,
) (yes bool, shown *shownFile, err error) {
	if shown, err = c.show(user, from, transports, file); err != nil {
		return false, nil, err
	}
	yes, err = user.Confirm("Trust this file?")
	return yes, shown, err
}
