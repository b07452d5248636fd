package lockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PackageFolder is the folder beside the lock that npm's lock files are in, each in
// a folder of its toolbox and its server, under the name that npm and others know.
const (
	PackageFolder   = "workbench.lock.d"
	packageLockName = "package-lock.json"
)

var _ ports.PackageLocks = (*File)(nil)

// PackageLock implements ports.PackageLocks.
func (f *File) PackageLock(server domain.ServerID, pin domain.PackagePin) ([]byte, error) {
	path := f.packageLockPath(server)
	text, err := atomicfile.ReadFile(path)
	if err == nil && packageLockDigest(text) != pin.LockDigest {
		err = errors.New("it is not the file that was locked: its SHA-256 is another one")
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
		err = atomicfile.Replace(path, lockFile, mode)
	}
	if err != nil {
		return fmt.Errorf("write the package lock file %s: %w", path, err)
	}
	return nil
}

// RemovePackageLocks implements ports.PackageLocks. It removes nothing but files that
// have the name, and folders that are empty then.
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

// globQuoted returns a pattern that matches only the path. On Windows no pattern can be
// quoted, and there no name holds most of what patterns are made of.
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

// packageLockDigest returns the SHA-256 of a file, whatever git made of its line ends.
func packageLockDigest(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// folderMode is that of a new folder: it is there to be shared.
const folderMode fs.FileMode = 0o755

// maxPlainName is the length up to which a name of a toolbox or server is the name of
// its folder, too.
const maxPlainName = 40

// folderName returns the name of the folder of a toolbox or server. It is legal on every
// system, also where case does not count, and no two names have the same: a name that
// cannot be used as it is gets a digest, after a character that is in no other.
func folderName(name string) string {
	if len(name) <= maxPlainName && isPlain(name) {
		return name
	}
	readable := strings.Map(func(r rune) rune {
		if !isPlainRune(r) || r == '.' {
			return '-'
		}
		return r
	}, strings.ToLower(name))
	sum := sha256.Sum256([]byte(name))
	return readable[:min(len(readable), maxPlainName/2)] + "~" + hex.EncodeToString(sum[:8])
}

// devices are names that are no files on Windows, whatever follows after a dot.
var devices = []string{
	"con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
}

func isPlain(name string) bool {
	begin, _, _ := strings.Cut(name, ".")
	return name != "" && begin != "" && !strings.HasSuffix(name, ".") && !slices.Contains(devices, begin) &&
		!strings.ContainsFunc(name, func(r rune) bool { return !isPlainRune(r) })
}

func isPlainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}
