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

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// maxFileSize is the largest file in bytes that is read: a list with its instructions and settings.
	maxFileSize = ports.MaxKeptList + 4<<20
	// unusedAge is the time for which a file is kept after its server listed the same.
	unusedAge = 180 * 24 * time.Hour
	// confirmPause is the time after which a file is marked again, if its server still lists the same.
	confirmPause = 24 * time.Hour
	// maxFiles is the maximum number of files of a server: for hosts with other capabilities and in other folders, which
	// can see other tools. maxAllFiles and maxAllBytes bound the files of all servers.
	maxFiles    = 32
	maxAllFiles = 2000
	maxAllBytes = 256 << 20
	// serverDigits is how many digits of the name of a file tell its server.
	serverDigits = 16

	suffix = ".json"
)

// Folder keeps listings in files. It implements ports.Listings. It reads and writes nothing before its
// first use. Safe for concurrent use.
type Folder struct {
	folder func() (string, error)
	owner  string
	within string
	log    *slog.Logger

	failed  sync.Once // logs a failure to write
	exposed sync.Once // logs that others can change listings
}

var _ ports.Listings = (*Folder)(nil)

// New returns the listings in the folder that the function returns, which need not exist. Owner, the
// path of the lock, distinguishes configurations whose servers have the same names. Programs run within a folder,
// unless their settings name another one, and can list other tools in each.
func New(folder func() (string, error), owner, within string, log *slog.Logger) *Folder {
	return &Folder{folder: folder, owner: owner, within: within, log: log}
}

// Seen returns the listings that commands made with the configuration at a path, for completion.
func Seen(folder func() (string, error), configuration string) *Folder {
	if whole, err := filepath.Abs(configuration); err == nil {
		configuration = whole
	}
	return New(folder, configuration, "", slog.New(slog.DiscardHandler))
}

// Find implements ports.Listings.
func (f *Folder) Find(server domain.Server, capabilities json.RawMessage) (list ports.KeptList, known bool) {
	list, path, err := f.find(server, capabilities, f.runsIn(server, capabilities))
	if errors.Is(err, fs.ErrNotExist) && f.runsIn(server, capabilities) != "" {
		list, path, err = f.find(server, capabilities, "")
		list.Elsewhere = true
	}
	switch {
	case err == nil:
		return list, true
	case path == "", errors.Is(err, fs.ErrNotExist), errors.Is(err, errOther): // without a folder, Keep fails
	case errors.As(err, new(*safefile.ExposedError)):
		f.exposed.Do(func() { f.log.Warn("ignored the last list of tools of servers", "error", err) })
	default:
		f.log.Warn("the last list of tools of the server cannot be read, so opening its toolbox waits for the server",
			"toolbox", server.ID.Toolbox, "server", server.ID.Server, "file", path, "error", err)
	}
	return ports.KeptList{}, false
}

func (f *Folder) find(server domain.Server, capabilities json.RawMessage, runsIn string) (list ports.KeptList, path string, err error) {
	if path, err = f.path(server, capabilities, runsIn); err != nil {
		return list, "", err
	}
	text, err := read(path)
	if err != nil {
		return list, path, err
	}
	if err := safefile.Check(path); err != nil {
		return list, path, err
	}
	if list, err = parse(text, server); err != nil {
		return list, path, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return list, path, err
	}
	list.Listed = info.ModTime()
	return list, path, nil
}

// Keep implements ports.Listings.
func (f *Folder) Keep(server domain.Server, capabilities json.RawMessage, list ports.KeptList) {
	err := f.keep(server, capabilities, f.runsIn(server, capabilities), list)
	if err == nil && f.runsIn(server, capabilities) != "" {
		err = f.keep(server, capabilities, "", list)
	}
	if err != nil {
		f.failed.Do(func() {
			f.log.Warn("cannot store the lists of tools of servers, so opening their toolboxes waits for the servers",
				"toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		})
	}
}

func (f *Folder) keep(server domain.Server, capabilities json.RawMessage, runsIn string, list ports.KeptList) error {
	path, err := f.path(server, capabilities, runsIn)
	if err != nil {
		return err
	}
	if err = checkSize(server, list); err == nil {
		if before, err := read(path); err == nil && isListing(before, server, list) && safefile.Check(path) == nil {
			return confirm(path)
		}
		err = store(path, server, list)
	}
	if err != nil {
		_ = os.Remove(path) // the server no longer lists what it has; removing works on a full disk
		return err
	}
	removeUnused(path)
	return nil
}

// checkSize refuses a list that is too large before a text is made of it.
func checkSize(server domain.Server, list ports.KeptList) error {
	size := 0
	for _, tool := range list.Tools {
		size += len(tool.Definition)
	}
	if size > ports.MaxKeptList {
		return fmt.Errorf("the list of server %q is larger than %d MiB", server.ID.Server, ports.MaxKeptList>>20)
	}
	return nil
}

// store replaces a file by one with this list.
func store(path string, server domain.Server, list ports.KeptList) error {
	text, err := format(server, list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of listings: %w", err)
	}
	if err := safefile.Check(filepath.Dir(path)); err != nil {
		return err
	}
	safefile.RemoveExposed(path)
	if err := safefile.Replace(path, text, 0o600); err != nil {
		return fmt.Errorf("write a listing: %w", err)
	}
	return nil
}

// confirm marks a file as still right, at most once in confirmPause, and also after a clock was set back.
func confirm(path string) error {
	info, err := os.Stat(path)
	if now := time.Now(); err == nil && now.Sub(info.ModTime()).Abs() >= confirmPause {
		err = os.Chtimes(path, now, now)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have removed it
		return fmt.Errorf("mark a listing: %w", err)
	}
	return nil
}

// Forget implements ports.Listings.
func (f *Folder) Forget(server domain.Server, capabilities json.RawMessage) {
	for _, runsIn := range []string{f.runsIn(server, capabilities), ""} {
		path, err := f.path(server, capabilities, runsIn)
		if err != nil {
			return
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.log.Warn("cannot remove the last list of tools of the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		}
	}
}

// path returns the file for a server that runs in a folder, and hosts with these capabilities: both can change its list.
// The file for no folder has the last list in any.
func (f *Folder) path(server domain.Server, capabilities json.RawMessage, runsIn string) (string, error) {
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	of := digits(f.owner, string(server.ID.Toolbox), string(server.ID.Server))
	return filepath.Join(folder, of+digits(knownCapabilities(capabilities), runsIn)+suffix), nil
}

// runsIn returns the folder that the program of a server runs in, "" if the list does not depend on it: for a server at
// an address, one whose settings name the folder, and lists that are no host's.
func (f *Folder) runsIn(server domain.Server, capabilities json.RawMessage) string {
	program := server.Traits.Program
	if !areOfHost(capabilities) || program.Command == "" || filepath.IsAbs(program.Cwd) {
		return ""
	}
	return filepath.Join(f.within, program.Cwd)
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
	text, err := safefile.ReadUpTo(path, maxFileSize)
	return bytes.TrimSpace(text), err
}

// removeUnused removes old files, whose server or configuration is most likely gone, and the oldest ones of the server
// of the written file, and of all servers, if there are too many. A file that is still needed is written again.
func removeUnused(written string) {
	folder, server := filepath.Dir(written), filepath.Base(written)[:serverDigits]
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && isOwnName(entry.Name()) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) }) // the newest first
	var ofServer, all int
	var size int64
	for _, info := range files {
		isOfServer := strings.HasPrefix(info.Name(), server)
		switch {
		case info.Name() == filepath.Base(written):
		case time.Since(info.ModTime()) > unusedAge, isOfServer && ofServer >= maxFiles-1, all >= maxAllFiles, size+info.Size() > maxAllBytes:
			_ = os.Remove(filepath.Join(folder, info.Name())) // another process may have done it
			continue
		case isOfServer:
			ofServer++
		}
		all, size = all+1, size+info.Size()
	}
}

// isOwnName reports whether path returns names of this form.
func isOwnName(name string) bool {
	digits, isListing := strings.CutSuffix(name, suffix)
	_, err := hex.DecodeString(digits)
	return isListing && err == nil && len(digits) == 32
}
