package hostfiles

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
)

// record describes one changed file. It may contain secrets, so only the user can read it.
type record struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
	// Before is the text before the first change, nil for a file that did not exist.
	Before *string `json:"before"`
	// After is the SHA-256 of the text after the last change, "" if Before is not to be restored.
	After   string    `json:"after"`
	Removed []Removed `json:"removed,omitempty"`
}

// Removed is a server that was removed from a host's file, as the host wrote it.
type Removed struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

const recordVersion = 1

// missing returns the removed servers that a text does not have. A nil record has none.
func (r *record) missing(file File, text []byte) ([]Removed, error) {
	if r == nil {
		return nil, nil
	}
	var missing []Removed
	for _, server := range r.Removed {
		found, err := Has(file, text, server.Name)
		if err != nil {
			return nil, err
		}
		if !found {
			missing = append(missing, server)
		}
	}
	return missing, nil
}

// recorded returns the record of a file, nil if there is none.
func (c *Connections) recorded(file File) (*record, error) {
	data, err := LoadIfThere(c.path(file.Path))
	if err != nil || data == nil {
		return nil, err
	}
	if err := safefile.Check(c.path(file.Path)); err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", file.Path, err)
	}
	var kept record
	if err := json.Unmarshal(data, &kept); err != nil || kept.Version != recordVersion {
		return nil, fmt.Errorf("read %s: it is not a record of this version", c.path(file.Path))
	}
	return &kept, nil
}

func (c *Connections) keep(kept *record) error {
	if err := os.MkdirAll(c.directory, 0o700); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Path, err)
	}
	if err := safefile.Check(c.directory); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Path, err)
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := safefile.Replace(c.path(kept.Path), data, 0o600); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Path, err)
	}
	return nil
}

// path returns where the record of a file is.
func (c *Connections) path(file string) string {
	return filepath.Join(c.directory, safefile.Digest([]byte(file))[:32]+".json")
}
