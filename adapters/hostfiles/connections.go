package hostfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/atomicfile"
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

	record *record // to keep with the change, nil to forget what is kept
}

// IsEmpty reports whether the file stays as it is.
func (c Change) IsEmpty() bool {
	return (c.Before == nil) == (c.After == nil) && string(c.Before) == string(c.After)
}

// record is what is kept of one file. It holds what the file held, secrets too, so only
// the user may read it.
type record struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
	// Before is the text before the first change, nil for a file that did not exist.
	Before *string `json:"before"`
	// After is the SHA-256 of the text after the last.
	After string `json:"after"`
	// Removed are the servers that were taken out.
	Removed []removed `json:"removed,omitempty"`
}

// removed is a server that was taken out of a host's file, as it stood there.
type removed struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

const recordVersion = 1

// Connect plans to write the workbench's entry into a host's file under a name, and to
// take servers out of it. Nothing is written.
//
// Failures: those of reading the file; those of Set and Delete.
func (c *Connections) Connect(file File, name string, entry Entry, replaces []string) (Change, error) {
	before, err := readIfThere(file.Path)
	if err != nil {
		return Change{}, err
	}
	kept, err := c.recorded(file)
	if err != nil {
		return Change{}, err
	}
	if kept == nil || kept.After != digest(before) {
		kept = &record{Version: recordVersion, Path: file.Path, Before: text(before)}
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
	kept.After = digest(after)
	return Change{File: file, Before: before, After: after, record: kept}, nil
}

// Disconnect plans to take the workbench out of a host's file. If nothing else changed
// since Connect, the file gets its old bytes back; else the entry goes, and the servers
// that Connect took out come back at the end.
//
// Failures: those of reading the file; those of Set and Delete.
func (c *Connections) Disconnect(file File, name string) (Change, error) {
	before, err := readIfThere(file.Path)
	if err != nil {
		return Change{}, err
	}
	kept, err := c.recorded(file)
	if err != nil {
		return Change{}, err
	}
	change := Change{File: file, Before: before}
	if kept != nil && kept.After == digest(before) {
		if kept.Before != nil {
			change.After = []byte(*kept.Before)
		}
		return change, nil
	}
	if change.After, err = Delete(file, before, name); err != nil {
		return Change{}, err
	}
	if kept == nil {
		return change, nil
	}
	for _, server := range kept.Removed {
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
	if change.record != nil {
		if err := c.keep(change.record); err != nil {
			return err
		}
	}
	if err := write(change); err != nil {
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
		now, err := os.ReadFile(path)
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

// recorded returns what is kept of a file, nil for nothing.
func (c *Connections) recorded(file File) (*record, error) {
	data, err := readIfThere(c.path(file.Path))
	if err != nil || data == nil {
		return nil, err
	}
	var kept record
	if err := json.Unmarshal(data, &kept); err != nil || kept.Version != recordVersion {
		return nil, fmt.Errorf("read %s: it is not a record of this version", c.path(file.Path))
	}
	return &kept, nil
}

func (c *Connections) keep(kept *record) error {
	if err := os.MkdirAll(c.directory, 0o700); err != nil {
		return fmt.Errorf("keep what %s was: %w", kept.Path, err)
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(c.path(kept.Path), data, 0o600); err != nil {
		return fmt.Errorf("keep what %s was: %w", kept.Path, err)
	}
	return nil
}

// path returns where the record of a file is.
func (c *Connections) path(file string) string {
	return filepath.Join(c.directory, digest([]byte(file))[:32]+".json")
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func text(data []byte) *string {
	if data == nil {
		return nil
	}
	text := string(data)
	return &text
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
