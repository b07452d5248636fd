package packages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcp-workbench/adapters/system/safefile"
)

// contentsName is the list of installed files beside the packages. The marker has its SHA-256.
const contentsName = "installed.sha256"

// cacheName is a folder in which programs cache files (https://www.npmjs.com/package/find-cache-dir).
// It does not belong to the installation.
const cacheName = ".cache"

// An installedFile is a file or a link of an installation.
type installedFile struct {
	path    string // relative to the folder of the installation, with slashes
	info    fs.FileInfo
	content string // the digest of its bytes or its target, as in the list
}

// files returns all files and links of an installation, in the order of their paths.
func files(folder string) ([]installedFile, error) {
	var found []installedFile
	err := filepath.WalkDir(filepath.Join(folder, modules), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name == modules+"/"+cacheName:
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		found = append(found, installedFile{path: name, info: info})
		return err
	})
	return found, err
}

// read reads the contents of files and links, several at a time.
func read(folder string, found []installedFile) error {
	var workers sync.WaitGroup
	failures := make([]error, len(found))
	count := runtime.GOMAXPROCS(0)
	for first := range count {
		workers.Go(func() {
			for i := first; i < len(found); i += count {
				failures[i] = found[i].read(folder)
			}
		})
	}
	workers.Wait()
	return errors.Join(failures...)
}

// read reads the content of a file or a link.
func (f *installedFile) read(folder string) error {
	path := filepath.Join(folder, filepath.FromSlash(f.path))
	switch f.info.Mode().Type() {
	case 0:
		file, err := safefile.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read from
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		f.content = hex.EncodeToString(sum.Sum(nil))
		if runtime.GOOS != "windows" && f.info.Mode()&0o111 != 0 {
			f.content += " program"
		}
		return err
	case fs.ModeSymlink:
		target, err := os.Readlink(path)
		f.content = fmt.Sprintf("link to %q", filepath.ToSlash(target))
		return err
	}
	return fmt.Errorf("%s is %w", f.path, safefile.ErrNotRegular)
}

// contents returns the list of an installation, with a line for each file and link.
func contents(found []installedFile) []byte {
	var list bytes.Buffer
	for _, file := range found {
		fmt.Fprintf(&list, "%q %s\n", file.path, file.content)
	}
	return list.Bytes()
}

// writeContents writes the list of installed files, and returns its SHA-256.
func writeContents(folder string) (digest string, err error) {
	found, err := files(folder)
	if err == nil {
		err = read(folder, found)
	}
	if err != nil {
		return "", err
	}
	list := contents(found)
	return safefile.Digest(list), os.WriteFile(filepath.Join(folder, contentsName), list, fileMode)
}

// verify compares an installation with its list.
//
// Decision: each start reads all files, so that nothing that other programs can write decides which files are read. For
// the 3,894 files of @modelcontextprotocol/server-everything that takes 0.15 s, of which the search for new files is a
// third, and the server itself needs 0.6 s.
//
// Failures: one that names the first file that differs; those of the file system.
func verify(folder string, installed marker) error {
	found, err := files(folder)
	if err != nil {
		return err
	}
	found = withoutData(folder, installed, found)
	if err := read(folder, found); err != nil {
		return err
	}
	if list := contents(found); safefile.Digest(list) != installed.Contents {
		return errors.New(difference(folder, installed, list))
	}
	return nil
}

// dataName matches the names of data files. Node loads code from such a file only if it is given the
// whole name.
var dataName = regexp.MustCompile(`(?i)\.(jsonl|ndjson|csv|log|(db|sqlite3?)(-(wal|shm|journal))?)$`)

// packageFolder matches the folder of the innermost package in a path.
var packageFolder = regexp.MustCompile(`^.*(?:^|/)node_modules/(?:@[^/]+/)?[^/@][^/]*/`)

// withoutData leaves out data files that servers write beside their programs, as
// @modelcontextprotocol/server-memory does by default. Such a file is in an installed package, was not
// installed itself, and does not have a name by which Node would otherwise find an installed file.
func withoutData(folder string, installed marker, found []installedFile) []installedFile {
	isData := func(file installedFile) bool {
		return file.info.Mode().IsRegular() && file.info.Mode()&0o111 == 0 && dataName.MatchString(file.path)
	}
	if !slices.ContainsFunc(found, isData) {
		return found
	}
	listed, err := safefile.ReadFile(filepath.Join(folder, contentsName))
	if err != nil || safefile.Digest(listed) != installed.Contents {
		return found
	}
	taken := map[string]bool{} // each installed path, the folders above it, and its names without extensions
	for path := range linesOf(listed) {
		path = strings.ToLower(path)
		taken[path] = true
		for i, letter := range path {
			switch letter {
			case '/':
				taken[path[:i+1]] = true
			case '.':
				taken[path[:i]] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(file installedFile) bool {
		path := strings.ToLower(file.path)
		return isData(file) && taken[packageFolder.FindString(path)] && !taken[path]
	})
}

// difference returns how an installation differs from its list.
func difference(folder string, installed marker, now []byte) string {
	listed, err := safefile.ReadFile(filepath.Join(folder, contentsName))
	if err != nil || safefile.Digest(listed) != installed.Contents {
		return "the list of its files was changed"
	}
	before, after := linesOf(listed), linesOf(now)
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if after[path] == "" {
			return path + " is missing"
		}
		if after[path] != before[path] {
			return path + " was changed"
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if before[path] == "" {
			return path + " is new"
		}
	}
	return "the list of its files was changed"
}

// linesOf returns the lines of a list by their paths.
func linesOf(list []byte) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, err := strconv.QuotedPrefix(line)
		if err == nil {
			path, err = strconv.Unquote(path)
		}
		if err == nil {
			lines[path] = line
		}
	}
	return lines
}

// foreignModules fails if others can change a node_modules folder above an installation. Node
// searches there for packages that are not installed, such as optional ones, and every user can
// create one in a folder such as /tmp.
func foreignModules(folder string) error {
	for above := filepath.Dir(folder); ; above = filepath.Dir(above) {
		path := filepath.Join(above, modules)
		if info, err := os.Lstat(path); err == nil {
			if exposure := safefile.Exposure(info); exposure != "" {
				return &safefile.ExposedError{Reason: path + ": " + exposure}
			}
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}
