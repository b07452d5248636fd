package listings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/fileowner"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// maxFileSize is the largest file in bytes. Larger ones are neither read nor written.
	maxFileSize = 32 << 20
	// unusedAge is how old a file may get that nobody writes any more.
	unusedAge = 180 * 24 * time.Hour

	suffix = ".json"
)

// Folder keeps listings in files. It implements ports.Listings. Nothing is touched before it
// is used. Safe for concurrent use.
type Folder struct {
	find  func() (string, error)
	owner string
	log   *slog.Logger

	failed  sync.Once // a failure to write was said
	exposed sync.Once // that others can change listings was said
}

var _ ports.Listings = (*Folder)(nil)

// New returns the listings in the folder that find returns, which need not exist. Owner
// tells configurations apart whose servers have the same names: the path of the lock.
func New(find func() (string, error), owner string, log *slog.Logger) *Folder {
	return &Folder{find: find, owner: owner, log: log}
}

// Find implements ports.Listings.
func (f *Folder) Find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, known bool) {
	path, err := f.path(server.ID, capabilities)
	if err != nil {
		return nil, false // Keep says so
	}
	text, err := read(path)
	if err == nil {
		if exposed := fileowner.Check(path); exposed != nil {
			f.exposed.Do(func() { f.log.Warn("what servers listed last is left out", "error", exposed) })
			return nil, false
		}
		tools, err = parse(text, server)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errOtherSettings):
		return nil, false
	case err != nil:
		f.log.Warn("the tools that the server listed last cannot be read, so it is waited for",
			"toolbox", server.ID.Toolbox, "server", server.ID.Server, "file", path, "error", err)
		return nil, false
	}
	return tools, true
}

// Keep implements ports.Listings.
func (f *Folder) Keep(server domain.Server, capabilities json.RawMessage, tools []domain.ToolInfo) {
	if err := f.keep(server, capabilities, tools); err != nil {
		f.failed.Do(func() {
			f.log.Warn("could not keep what servers list, so opening their toolboxes waits for them",
				"toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		})
	}
}

func (f *Folder) keep(server domain.Server, capabilities json.RawMessage, tools []domain.ToolInfo) error {
	path, err := f.path(server.ID, capabilities)
	if err != nil {
		return err
	}
	exposed := fileowner.Check(path)
	if before, err := read(path); err == nil && exposed == nil && isListing(before, server, tools) {
		return nil
	}
	text, err := format(server, tools)
	if err != nil {
		return err
	}
	if len(text) > maxFileSize {
		return fmt.Errorf("the list of server %q is larger than %d MiB", server.ID.Server, maxFileSize>>20)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of listings: %w", err)
	}
	if err := fileowner.Check(filepath.Dir(path)); err != nil {
		return err
	}
	if exposed != nil {
		_ = os.Remove(path) // else the new file has the mode and the owner of the one before
	}
	if err := atomicfile.Replace(path, text, 0o600); err != nil {
		return fmt.Errorf("write a listing: %w", err)
	}
	removeUnused(filepath.Dir(path))
	return nil
}

// path returns the file for a server and hosts with these capabilities, which may change what
// it lists.
func (f *Folder) path(id domain.ServerID, capabilities json.RawMessage) (string, error) {
	folder, err := f.find()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, part := range []string{f.owner, string(id.Toolbox), string(id.Server), string(capabilities)} {
		sum.Write(fmt.Appendf(nil, "%d %s ", len(part), part))
	}
	return filepath.Join(folder, hex.EncodeToString(sum.Sum(nil)[:16])+suffix), nil
}

// read returns the text of a file that is a regular one and not too large.
func read(path string) ([]byte, error) {
	text, err := atomicfile.ReadUpTo(path, maxFileSize)
	return bytes.TrimSpace(text), err
}

// removeUnused removes files that were last written so long ago that their server or
// configuration is most likely gone. One that is missed is written again.
func removeUnused(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && isOwnName(entry.Name()) && time.Since(info.ModTime()) > unusedAge {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // another process may have done it
		}
	}
}

// isOwnName reports whether path makes names like this.
func isOwnName(name string) bool {
	digits, is := bytes.CutSuffix([]byte(name), []byte(suffix))
	_, err := hex.DecodeString(string(digits))
	return is && err == nil && len(digits) == 32
}
