package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PackageFolder is the folder of npm's lock files, beside the lock. Each has its usual name, in a
// folder of its toolbox and server.
const (
	PackageFolder   = "workbench.lock.d"
	packageLockName = "package-lock.json"
)

var _ ports.PackageLocks = (*File)(nil)

// PackageLock implements ports.PackageLocks.
func (f *File) PackageLock(server domain.ServerID, pin domain.PackagePin) ([]byte, error) {
	path := f.packageLockPath(server)
	err := f.isOwn(path)
	var text []byte
	if err == nil {
		text, err = safefile.ReadFile(path)
	}
	if err == nil && safefile.Digest(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) != pin.LockDigest { // Git changes line endings
		err = errors.New("it is not the file that was locked: its SHA-256 differs")
	}
	if err != nil {
		return nil, &domain.LockBrokenError{Path: path, Reason: reasonOf(err)}
	}
	return text, nil
}

// SavePackageLock implements ports.PackageLocks.
func (f *File) SavePackageLock(server domain.ServerID, lockFile []byte) error {
	path := f.packageLockPath(server)
	err := f.isOwn(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), folderMode)
	}
	if err == nil {
		err = safefile.Replace(path, lockFile, mode)
	}
	if err != nil {
		return fmt.Errorf("write the package lock file %s: %w", path, err)
	}
	return nil
}

// RemovePackageLocks implements ports.PackageLocks. It removes only files that the lock before named, and folders that
// are empty then.
func (f *File) RemovePackageLocks(before, lock domain.Lock) error {
	used := f.packageLockPaths(lock)
	for _, path := range f.packageLockPaths(before) {
		if slices.Contains(used, path) {
			continue
		}
		err := f.isOwn(path)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the package lock file of a server that has none any more: %s: %w", path, err)
		}
		// Folders with anything else in them stay.
		_ = os.Remove(filepath.Dir(path))
		_ = os.Remove(filepath.Dir(filepath.Dir(path)))
		_ = os.Remove(f.packageFolder())
	}
	return nil
}

// packageLockPaths returns the lock files of npm that a lock names.
func (f *File) packageLockPaths(lock domain.Lock) []string {
	var paths []string
	for _, pinned := range lock.Packages {
		if pinned.Kind == domain.PackageNPM {
			paths = append(paths, f.packageLockPath(pinned.ID))
		}
	}
	return paths
}

// packageFolder returns the folder of npm's lock files.
func (f *File) packageFolder() string { return filepath.Join(filepath.Dir(f.Path()), PackageFolder) }

func (f *File) packageLockPath(server domain.ServerID) string {
	return filepath.Join(f.packageFolder(),
		folderName(string(server.Toolbox)), folderName(string(server.Server)), packageLockName)
}

const folderMode fs.FileMode = 0o755

// maxPlainName is the length up to which the name of a toolbox or server can be that of its folder.
const maxPlainName = 40

// folderName returns the name of the folder of a toolbox or server. It is legal on every system, also
// where case does not matter, and different for each name: a name that cannot be used unchanged is
// followed by its digest, after a character that occurs in no other folder name.
func folderName(name string) string {
	if len(name) <= maxPlainName && isPlain(name) {
		return name
	}
	readable := strings.Map(func(r rune) rune {
		if r == '.' || !strings.ContainsRune(plainCharacters, r) {
			return '-'
		}
		return r
	}, strings.ToLower(name))
	return readable[:min(len(readable), maxPlainName/2)] + "~" + safefile.Digest([]byte(name))[:16]
}

// devices are names that Windows reserves, with any extension.
var devices = []string{
	"con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
}

const plainCharacters = lowerCase + digits + "-_."

func isPlain(name string) bool {
	begin, _, _ := strings.Cut(name, ".")
	return begin != "" && !strings.HasSuffix(name, ".") && !slices.Contains(devices, begin) && strings.Trim(name, plainCharacters) == ""
}
