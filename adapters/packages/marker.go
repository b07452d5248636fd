package packages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/fileowner"
	"mcp-workbench/domain"
)

// marker is written last into a folder of packages: it says that everything before it
// is there, and how the programs of the package are started.
type marker struct {
	LockDigest string           `json:"lockDigest"`
	Package    string           `json:"package"`
	Version    string           `json:"version"`
	Programs   map[string]entry `json:"programs"`
	// Contents is the SHA-256 of the list of everything that was installed.
	Contents string `json:"contents"`
}

// entry is how one program of the package is started.
type entry struct {
	// File is relative to the folder of the package.
	File string `json:"file"`
	// NodeArgs are what the first line of the file gives node.
	NodeArgs []string `json:"nodeArgs,omitempty"`
	// Problem says why the program cannot be started by node, "" if it can.
	Problem string `json:"problem,omitempty"`
}

const (
	markerName = "installed.json"
	// usedEvery is how exactly it is known when a folder was used last.
	usedEvery = 24 * time.Hour
	// unusedTime is after which time without a start a folder is removed.
	unusedTime = 90 * 24 * time.Hour
	// minDigest is the length of the part of a digest that names a folder.
	minDigest = 32
)

var errNoPlace = errors.New("there is no home directory, so there is no place for packages")

// folder returns where the packages of a pin are. Those of another system, and those
// whose scripts ran, are in folders of their own.
func (s *Store) folder(pin domain.PackagePin) (string, error) {
	if s.directory == "" {
		return "", errNoPlace
	}
	digest := pin.LockDigest
	if len(digest) < minDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return "", fmt.Errorf("the lock has no digest of a lock file of npm for %s", pin.Name)
	}
	name := strings.Join([]string{digest[:minDigest], runtime.GOOS, runtime.GOARCH}, "-")
	if pin.InstallScripts {
		name += "-scripts"
	}
	return filepath.Join(s.directory, name), nil
}

// installed reads the marker of a pin.
//
// Failures: fs.ErrNotExist in the chain when it is not installed; those of the file
// system.
func (s *Store) installed(pin domain.PackagePin) (folder string, is marker, err error) {
	folder, err = s.folder(pin)
	if err != nil {
		return "", marker{}, err
	}
	path := filepath.Join(folder, markerName)
	text, err := atomicfile.ReadFile(path)
	if err == nil {
		err = fileowner.Check(path)
	}
	if err != nil {
		return "", marker{}, err
	}
	if json.Unmarshal(text, &is) != nil || is.Contents == "" || is.LockDigest != pin.LockDigest || is.Package != pin.Name {
		return "", marker{}, fmt.Errorf("%s is not what the lock names: %w", folder, fs.ErrNotExist)
	}
	for _, program := range is.Programs {
		if _, err := os.Stat(filepath.Join(folder, modules, pin.Name, program.File)); err != nil {
			return "", marker{}, err
		}
	}
	return folder, is, nil
}

// IsInstalled implements ports.Packages. What uvx starts it installs itself.
func (s *Store) IsInstalled(pin domain.PackagePin) bool {
	if pin.Kind != domain.PackageNPM {
		return true
	}
	_, _, err := s.installed(pin)
	return err == nil
}

// touch notes that a folder is in use. A folder that cannot be written is no reason not
// to start.
func touch(folder string) {
	path := filepath.Join(folder, markerName)
	now := time.Now()
	if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > usedEvery {
		_ = os.Chtimes(path, now, now)
	}
}

// programsIn returns how the programs of a package are started that was installed.
func programsIn(packageFolder string, of programs) map[string]entry {
	found := map[string]entry{}
	for name, file := range of {
		file = filepath.Clean(filepath.FromSlash(file))
		if !filepath.IsLocal(file) || !exists(filepath.Join(packageFolder, file)) {
			continue
		}
		args, problem := interpreter(filepath.Join(packageFolder, file))
		found[name] = entry{File: file, NodeArgs: args, Problem: problem}
	}
	return found
}

// maxFirstLine is how long the first line of a program may be.
const maxFirstLine = 256

// interpreter reads the first line of a program: what it gives node, or why it is not
// run by node.
func interpreter(path string) (nodeArgs []string, problem string) {
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, "it cannot be read"
	}
	defer func() { _ = file.Close() }() // it was only read
	text := make([]byte, maxFirstLine)
	n, _ := file.Read(text) // an empty file is judged below
	first, _, _ := strings.Cut(string(text[:n]), "\n")
	line, is := strings.CutPrefix(strings.TrimSpace(first), "#!")
	if !is {
		if slices.Contains([]string{".js", ".mjs", ".cjs"}, filepath.Ext(path)) {
			return nil, ""
		}
		return nil, "it is no script of node"
	}
	words := strings.Fields(line)
	if len(words) > 0 && filepath.Base(words[0]) == "env" {
		if words = words[1:]; len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "node" {
		return nil, "it is not run by node, as its first line says"
	}
	return words[1:], ""
}
