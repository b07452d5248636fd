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
	text, err := safefile.ReadFile(path)
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
	err := os.MkdirAll(filepath.Dir(path), folderMode)
	if err == nil {
		err = safefile.Replace(path, lockFile, mode)
	}
	if err != nil {
		return fmt.Errorf("write the package lock file %s: %w", path, err)
	}
	return nil
}

// RemovePackageLocks implements ports.PackageLocks. It removes only files with
// that name, and folders that are empty then.
func (f *File) RemovePackageLocks(lock domain.Lock) error {
	var used []string
	for _, pinned := range lock.Packages {
		if pinned.Kind == domain.PackageNPM {
			used = append(used, f.packageLockPath(pinned.ID))
		}
	}
	top := filepath.Join(filepath.Dir(f.Path()), PackageFolder)
	found, err := filepath.Glob(filepath.Join(globQuoted(top), "*", "*", packageLockName))
	if err != nil {
		return fmt.Errorf("look for package lock files in %s: %w", top, err)
	}
	for _, path := range found {
		if slices.Contains(used, path) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove the package lock file of a server that has none any more: %w", err)
		}
		// Folders with anything else in them stay.
		_ = os.Remove(filepath.Dir(path))
		_ = os.Remove(filepath.Dir(filepath.Dir(path)))
		_ = os.Remove(top)
	}
	return nil
}

// globQuoted returns a pattern that matches only the path. On Windows no pattern can be quoted, and
// names cannot contain most of the special characters.
func globQuoted(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (f *File) packageLockPath(server domain.ServerID) string {
	return filepath.Join(filepath.Dir(f.Path()), PackageFolder,
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
