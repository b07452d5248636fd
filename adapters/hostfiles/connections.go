package hostfiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain/textedit"
)

// Connections remembers, in a directory of the user's, what the files of hosts were
// before the workbench was written into them, so that it can be taken out again.
type Connections struct{ directory string }

// NewConnections returns the memory in a directory, which is made when it is needed.
func NewConnections(directory string) *Connections { return &Connections{directory: directory} }

// Change is what becomes of a host's file.
type Change struct {
	File File
	// Before is the text that was read, nil for a file that does not exist.
	Before []byte
	// After is the text that it becomes; nil removes the file, which had been made for
	// the workbench.
	After []byte
	// Removes and Restores are the servers that are taken out for the workbench, and
	// those that come back.
	Removes  []string
	Restores []Restored

	record *record // to keep with the change, nil to forget what is kept
}

// IsEmpty reports whether the file stays as it is.
func (c Change) IsEmpty() bool {
	return (c.Before == nil) == (c.After == nil) && string(c.Before) == string(c.After)
}

// Restored is a server that comes back into a host's file, as it stood there.
type Restored struct {
	Name  string
	Value json.RawMessage
}

// ErrTaken says that the name is that of another program in the host's file.
var ErrTaken = errors.New("another server has the name")

// Connect plans to write the workbench's entry into a host's file under a name, and to
// take servers out of it. Nothing is written.
//
// Failures: ErrTaken; those of reading the file and of Writable; those of Set and Delete.
func (c *Connections) Connect(file File, name string, entry Entry, replaces []string) (Change, error) {
	before, err := c.readForWriting(file)
	if err != nil {
		return Change{}, err
	}
	connected, err := hasEntry(file, before, name, entry)
	if err != nil {
		return Change{}, err
	}
	kept, err := c.recorded(file)
	if err != nil {
		return Change{}, err
	}
	// A text that has the entry already is not what to go back to, unless it is the
	// one that the last change left.
	known := kept != nil && kept.After == digest(before)
	partial := connected && !known
	if !known {
		// Servers that an earlier change took out, and that are not back, still come back.
		taken, err := notIn(file, before, kept)
		if err != nil {
			return Change{}, err
		}
		kept = &record{Version: recordVersion, Path: file.Path, Before: text(before), Removed: taken}
		partial = partial || len(taken) > 0
	}
	after := before
	for _, server := range replaces {
		value, err := valueOf(file, after, server)
		if err != nil {
			return Change{}, err
		}
		if after, err = Delete(file, after, server); err != nil {
			return Change{}, err
		}
		kept.Removed = append(kept.Removed, removed{Name: server, Value: value})
	}
	if after, err = Set(file, after, name, entry); err != nil {
		return Change{}, err
	}
	if kept.After = digest(after); partial {
		kept.After = ""
	}
	return Change{File: file, Before: before, After: after, Removes: replaces, record: kept}, nil
}

// Disconnect plans to take the workbench out of a host's file. If nothing else changed
// since Connect, the file gets its old bytes back; else the entry goes, and the servers
// that Connect took out come back at the end.
//
// Failures: those of reading the file and of Writable; those of Set and Delete.
func (c *Connections) Disconnect(file File, name string) (Change, error) {
	before, err := c.readForWriting(file)
	if err != nil {
		return Change{}, err
	}
	kept, err := c.recorded(file)
	if err != nil {
		return Change{}, err
	}
	change := Change{File: file, Before: before}
	missing, err := notIn(file, before, kept)
	if err != nil {
		return Change{}, err
	}
	for _, server := range missing {
		change.Restores = append(change.Restores, Restored(server))
	}
	if kept != nil && kept.After == digest(before) {
		if kept.Before != nil {
			change.After = []byte(*kept.Before)
		}
		return change, nil
	}
	change.After, err = Delete(file, before, name)
	if errors.Is(err, textedit.ErrNotFound) && len(missing) > 0 {
		change.After, err = before, nil // a change that was cut off, or the entry is gone
	}
	if err != nil {
		return Change{}, err
	}
	for _, server := range missing {
		if change.After, err = restore(file, change.After, server); err != nil {
			return Change{}, err
		}
	}
	return change, nil
}

// Apply makes a planned change: the record first, so that no moment is without it.
//
// Failures: atomicfile.ErrChanged when the file is not as it was read; those of the
// file system.
func (c *Connections) Apply(change Change) error {
	return c.apply(change, func() error { return write(change) })
}

// ApplyBy makes a planned change with the host's own command in place of a write. The
// file is not to come back byte for byte then, since the host writes all of it.
//
// Failures: those of carryOut and of the file system.
func (c *Connections) ApplyBy(change Change, carryOut func() error) error {
	if change.record != nil {
		kept := *change.record
		kept.After = ""
		change.record = &kept
	}
	return c.apply(change, carryOut)
}

func (c *Connections) apply(change Change, carryOut func() error) error {
	if change.record != nil {
		if err := c.keep(change.record); err != nil {
			return err
		}
	}
	if err := carryOut(); err != nil {
		return err
	}
	if change.record == nil {
		if err := os.Remove(c.path(change.File.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget what %s was: %w", change.File.Path, err)
		}
	}
	return nil
}

func write(change Change) error {
	path := change.File.Path
	if change.After == nil {
		now, err := atomicfile.ReadFile(path)
		if err != nil {
			return err
		}
		if string(now) != string(change.Before) {
			return fmt.Errorf("remove %s: %w", path, atomicfile.ErrChanged)
		}
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.ReplaceIf(path, change.Before, change.After, 0o600)
}

// readForWriting returns the text of a file that can be written.
func (c *Connections) readForWriting(file File) ([]byte, error) {
	if _, err := Writable(file.Path); err != nil {
		return nil, err
	}
	return readIfThere(file.Path)
}

// hasEntry reports whether the workbench is in the text of a file under a name.
func hasEntry(file File, text []byte, name string, entry Entry) (bool, error) {
	if text == nil {
		return false, nil
	}
	servers, err := Parse(file, text)
	if err != nil {
		return false, err
	}
	for _, server := range servers {
		if server.Name != name {
			continue
		}
		program := filepath.Base(server.Settings.Command)
		if program != filepath.Base(entry.Command) && !strings.HasPrefix(program, "mcp-workbench") {
			return false, fmt.Errorf("write %q into %s: %w: it runs %q", name, file.Path, ErrTaken, program)
		}
		return true, nil
	}
	return false, nil
}

// readIfThere returns the text of a file, nil if there is none.
func readIfThere(path string) ([]byte, error) {
	data, err := load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
