package hostfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
)

// Connections keeps, in a directory of the user, the texts that the files of hosts had before
// the workbench was written into them, so that they can be restored.
type Connections struct{ directory string }

// NewConnections returns the connections kept in a directory, which is created on first use.
func NewConnections(directory string) *Connections { return &Connections{directory: directory} }

// Change is a change of a host's file.
type Change struct {
	File File
	// Before is the text that was read, nil for a file that does not exist.
	Before []byte
	// After is the text to write; nil removes the file, which was made for the workbench.
	After []byte
	// Removes and Restores are the servers that are removed from the file, and those that
	// are added to it again.
	Removes  []string
	Restores []Removed
	// Private says that the file has values afterwards, so only its owner may read it.
	Private bool

	record *record // to keep with the change, nil to remove the kept one
}

// IsEmpty reports whether the file stays unchanged.
func (c Change) IsEmpty() bool {
	return (c.Before == nil) == (c.After == nil) && string(c.Before) == string(c.After)
}

// isUndone reports whether the file is as it was read.
func (c Change) isUndone() bool {
	now, err := LoadIfThere(c.File.Path)
	return err == nil && (now == nil) == (c.Before == nil) && bytes.Equal(now, c.Before)
}

// ErrTaken reports that another program has the name in the host's file.
var ErrTaken = errors.New("another server has the name")

// Connect plans to write the workbench's entry into a host's file under a name, and to
// remove servers from it. It writes no file.
//
// Failures: ErrTaken; those of reading the file and of Writable; those of Set and Delete.
func (c *Connections) Connect(file File, name string, entry Entry, replaces []string) (Change, error) {
	before, kept, err := c.read(file)
	if err != nil {
		return Change{}, err
	}
	connected, err := hasEntry(file, before, name, entry, kept != nil)
	if err != nil {
		return Change{}, err
	}
	// A text that already has the entry is not the one to restore, unless the last change
	// wrote it.
	known := kept != nil && kept.After == safefile.Digest(before)
	partial := connected && !known
	if !known {
		// Servers that an earlier change removed, and that are not back, are still restored.
		missing, err := kept.missing(file, before)
		if err != nil {
			return Change{}, err
		}
		kept = &record{Version: recordVersion, Path: file.Path, Removed: missing}
		if before != nil {
			kept.Before = new(string(before))
		}
		partial = partial || len(missing) > 0
	}
	after := before
	for _, server := range replaces {
		value, err := find(file, after, server)
		if err != nil {
			return Change{}, err
		}
		if after, err = Delete(file, after, server); err != nil {
			return Change{}, err
		}
		kept.Removed = append(kept.Removed, Removed{Name: server, Value: value})
	}
	if after, err = Set(file, after, name, EntryJSON(file, entry)); err != nil {
		return Change{}, err
	}
	if kept.After = safefile.Digest(after); partial {
		kept.After = ""
	}
	return Change{File: file, Before: before, After: after, Removes: replaces, Private: len(entry.Values) > 0, record: kept}, nil
}

// Disconnect plans to remove the workbench from a host's file. If nothing else changed since
// Connect, the file gets its old bytes back. Otherwise the entry is removed, and the servers
// that Connect removed are added at the end.
//
// Failures: those of reading the file and of Writable; those of Set and Delete, with what to remove by hand for YAML.
func (c *Connections) Disconnect(file File, name string) (Change, error) {
	change, err := c.removal(file, name)
	if isRefused := errors.Is(err, textedit.ErrNotEditable) || errors.Is(err, textedit.ErrSyntax); isRefused && file.isYAML() {
		return change, fmt.Errorf("%w; to do it by hand, remove the lines of %q below %q", err, name, file.member[0]+":")
	}
	return change, err
}

// removal is Disconnect without what to remove by hand.
func (c *Connections) removal(file File, name string) (Change, error) {
	before, kept, err := c.read(file)
	if err != nil {
		return Change{}, err
	}
	missing, err := kept.missing(file, before)
	if err != nil {
		return Change{}, err
	}
	change := Change{File: file, Before: before, Restores: missing}
	if kept != nil && kept.After == safefile.Digest(before) {
		if kept.Before != nil {
			change.After = []byte(*kept.Before)
		}
		return change, nil
	}
	change.After, err = Delete(file, before, name)
	if errors.Is(err, textedit.ErrNotFound) && len(missing) > 0 {
		change.After, err = before, nil // the change was interrupted, or the entry is gone
	}
	for _, server := range missing {
		if err == nil {
			change.After, err = Set(file, change.After, server.Name, server.Value)
		}
	}
	if err != nil {
		return Change{}, err
	}
	return change, nil
}

// Apply makes a planned change: it calls carryOut or, if that is nil, writes the file. It writes the
// record first, so that the record always exists. After a failure that left the file unchanged, the record
// is unchanged too. A file that carryOut writes, through the host's own command, is not restored byte for
// byte, since the command writes the whole file.
//
// Failures: safefile.ErrChanged if the file is not as it was read; those of carryOut and of the
// file system.
func (c *Connections) Apply(change Change, carryOut func() error) error {
	return safefile.Exclusively(c.path(change.File.Path), func() error { return c.apply(change, carryOut) })
}

func (c *Connections) apply(change Change, carryOut func() error) error {
	if err := safefile.Unchanged(change.File.Path, change.Before); err != nil {
		return err // the record belongs to the text that another command wrote
	}
	writesItself := carryOut == nil
	if writesItself {
		carryOut = func() error { return write(change) }
	} else if change.record != nil {
		kept := *change.record
		kept.After = ""
		change.record = &kept
	}
	recordBefore, err := LoadIfThere(c.path(change.File.Path))
	if err != nil {
		return err
	}
	if change.record != nil {
		if err := c.keep(change.record); err != nil {
			return err
		}
	}
	if err := carryOut(); err != nil {
		if writesItself || change.isUndone() {
			err = errors.Join(err, c.restoreRecord(change.File.Path, recordBefore))
		}
		return err
	}
	if change.record == nil {
		if err := os.Remove(c.path(change.File.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the record of %s: %w", change.File.Path, err)
		}
	}
	return nil
}

// restoreRecord restores the earlier bytes of a file's record; nil removes the record.
func (c *Connections) restoreRecord(file string, before []byte) error {
	path := c.path(file)
	var err error
	if before != nil {
		err = safefile.Replace(path, before, 0o600)
	} else if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("restore the record of %s: %w", file, err)
	}
	return nil
}

func write(change Change) error {
	path := change.File.Path
	if change.After == nil {
		now, err := safefile.ReadFile(path)
		if err != nil {
			return err
		}
		if string(now) != string(change.Before) {
			return fmt.Errorf("remove %s: %w", path, safefile.ErrChanged)
		}
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if change.Private && change.Before != nil {
		if err := os.Chmod(path, 0o600); err != nil {
			return fmt.Errorf("make %s private: %w", path, err)
		}
	}
	return safefile.ReplaceIf(path, change.Before, change.After, 0o600)
}

// read returns the text of a file that can be written, and its record, nil for none.
func (c *Connections) read(file File) (text []byte, kept *record, err error) {
	if _, err := Writable(file.Path); err != nil {
		return nil, nil, err
	}
	if text, err = LoadIfThere(file.Path); err != nil {
		return nil, nil, err
	}
	kept, err = c.recorded(file)
	return text, kept, err
}

// hasEntry reports whether the text of a file has the workbench under a name: its program, or its
// address. If an entry was written before, any address is taken for the workbench's.
//
// Failures: ErrTaken; textedit.ErrSyntax.
func hasEntry(file File, text []byte, name string, entry Entry, written bool) (bool, error) {
	if text == nil {
		return false, nil
	}
	servers, err := Parse(file, text)
	for _, server := range servers {
		if server.Name != name {
			continue
		}
		if address := server.Settings.URL; address != "" && server.Settings.Command == "" {
			if written || address == entry.URL {
				return true, nil
			}
			return false, fmt.Errorf("write %q into %s: %w: it is at %s", name, file.Path, ErrTaken, hostOf(address))
		}
		if command := server.Settings.Command; command != entry.Command && !programs.StartsWorkbench(command, server.Settings.Args) {
			return false, fmt.Errorf("write %q into %s: %w: it runs %q", name, file.Path, ErrTaken, filepath.Base(command))
		}
		return true, nil
	}
	return false, err
}

// hostOf returns the host of an address, which may contain secrets elsewhere.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "another address"
	}
	return parsed.Host
}
