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
	"slices"
	"strings"
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
	// unusedAge is the time for which a file is kept after it was written.
	unusedAge = 180 * 24 * time.Hour
	// maxFiles is the maximum number of files of a server. Hosts with other capabilities can see other tools.
	maxFiles = 8
	// serverDigits is how many digits of the name of a file tell its server.
	serverDigits = 16

	suffix = ".json"
)

// Folder keeps listings in files. It implements ports.Listings. It reads and writes nothing before its
// first use. Safe for concurrent use.
type Folder struct {
	folder func() (string, error)
	owner  string
	log    *slog.Logger

	failed  sync.Once // logs a failure to write
	exposed sync.Once // logs that others can change listings
}

var _ ports.Listings = (*Folder)(nil)

// New returns the listings in the folder that the function returns, which need not exist. Owner, the
// path of the lock, distinguishes configurations whose servers have the same names.
func New(folder func() (string, error), owner string, log *slog.Logger) *Folder {
	return &Folder{folder: folder, owner: owner, log: log}
}

// Seen returns the listings that commands made with the configuration at a path, for completion.
func Seen(folder func() (string, error), configuration string) *Folder {
	if whole, err := filepath.Abs(configuration); err == nil {
		configuration = whole
	}
	return New(folder, configuration, slog.New(slog.DiscardHandler))
}

// Find implements ports.Listings.
func (f *Folder) Find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, known bool) {
	tools, path, err := f.find(server, capabilities)
	switch {
	case err == nil:
		return tools, true
	case path == "", errors.Is(err, fs.ErrNotExist), errors.Is(err, errOtherSettings): // without a folder, Keep fails
	case errors.As(err, new(*fileowner.ExposedError)):
		f.exposed.Do(func() { f.log.Warn("ignored the last list of tools of servers", "error", err) })
	default:
		f.log.Warn("the last list of tools of the server cannot be read, so opening its toolbox waits for the server",
			"toolbox", server.ID.Toolbox, "server", server.ID.Server, "file", path, "error", err)
	}
	return nil, false
}

func (f *Folder) find(server domain.Server, capabilities json.RawMessage) (tools []domain.ToolInfo, path string, err error) {
	if path, err = f.path(server.ID, capabilities); err != nil {
		return nil, "", err
	}
	text, err := read(path)
	if err != nil {
		return nil, path, err
	}
	if err := fileowner.Check(path); err != nil {
		return nil, path, err
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
	if before, err := read(path); err == nil && isListing(before, server, tools) && fileowner.Check(path) == nil {
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
	fileowner.RemoveExposed(path)
	if err := atomicfile.Replace(path, text, 0o600); err != nil {
		return fmt.Errorf("write a listing: %w", err)
	}
	removeUnused(path)
	return nil
}

// path returns the file for a server and hosts with these capabilities, which can change its list.
func (f *Folder) path(id domain.ServerID, capabilities json.RawMessage) (string, error) {
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	of := digits(f.owner, string(id.Toolbox), string(id.Server))
	return filepath.Join(folder, of+digits(knownCapabilities(capabilities))+suffix), nil
}

// digits returns a hash of texts, of serverDigits digits.
func digits(texts ...string) string {
	sum := sha256.New()
	for _, text := range texts {
		sum.Write(fmt.Appendf(nil, "%d %s ", len(text), text))
	}
	return hex.EncodeToString(sum.Sum(nil)[:serverDigits/2])
}

func read(path string) ([]byte, error) {
	text, err := atomicfile.ReadUpTo(path, maxFileSize)
	return bytes.TrimSpace(text), err
}

// removeUnused removes old files, whose server or configuration is most likely gone, and the oldest ones of the server
// of the written file if there are too many. A file that is still needed is written again.
func removeUnused(written string) {
	folder, server := filepath.Dir(written), filepath.Base(written)[:serverDigits]
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	remove := func(name string) { _ = os.Remove(filepath.Join(folder, name)) } // another process may have done it
	var others []fs.FileInfo                                                   // of the server, besides the written one
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular() || !isOwnName(entry.Name()):
		case time.Since(info.ModTime()) > unusedAge:
			remove(entry.Name())
		case strings.HasPrefix(entry.Name(), server) && entry.Name() != filepath.Base(written):
			others = append(others, info)
		}
	}
	slices.SortFunc(others, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) }) // the newest first
	for _, info := range others[min(len(others), maxFiles-1):] {
		remove(info.Name())
	}
}

// isOwnName reports whether path returns names of this form.
func isOwnName(name string) bool {
	digits, isListing := strings.CutSuffix(name, suffix)
	_, err := hex.DecodeString(digits)
	return isListing && err == nil && len(digits) == 32
}
