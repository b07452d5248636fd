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
	folder func() (string, error)
	owner  string
	log    *slog.Logger

	failed  sync.Once // a failure to write was said
	exposed sync.Once // that others can change listings was said
}

var _ ports.Listings = (*Folder)(nil)

// New returns the listings in the folder that a function returns, which need not exist. Owner
// tells configurations apart whose servers have the same names: the path of the lock.
func New(folder func() (string, error), owner string, log *slog.Logger) *Folder {
	return &Folder{folder: folder, owner: owner, log: log}
}

// Find implements ports.Listings.
func (f *Folder) Find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, known bool) {
	tools, path, err := f.find(server, capabilities)
	switch {
	case err == nil:
		return tools, true
	case path == "", errors.Is(err, fs.ErrNotExist), errors.Is(err, errOtherSettings): // without a folder, Keep fails
	case errors.As(err, new(*exposedError)):
		f.exposed.Do(func() { f.log.Warn("ignored the last list of tools of servers", "error", err) })
	default:
		f.log.Warn("the last list of tools of the server cannot be read, so opening its toolbox waits for the server",
			"toolbox", server.ID.Toolbox, "server", server.ID.Server, "file", path, "error", err)
	}
	return nil, false
}

// exposedError reports a file that others can change.
type exposedError struct{ error }

func (f *Folder) find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, path string, err error) {
	if path, err = f.path(server.ID, capabilities); err != nil {
		return nil, "", err
	}
	text, err := read(path)
	if err != nil {
		return nil, path, err
	}
	if err := fileowner.Check(path); err != nil {
		return nil, path, &exposedError{err}
	}
	tools, err = parse(text, server)
	return tools, path, err
}

// Keep implements ports.Listings.
func (f *Folder) Keep(server domain.Server, capabilities json.RawMessage, tools []domain.ToolInfo) {
	if err := f.keep(server, capabilities, tools); err != nil {
		f.failed.Do(func() {
			f.log.Warn("cannot store the lists of tools of servers, so opening their toolboxes waits for the servers",
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
	folder, err := f.folder()
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
