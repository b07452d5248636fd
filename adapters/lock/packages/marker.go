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

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// A marker is written last into a folder of packages. It shows that the installation is complete, and
// says how to start the programs of the package.
type marker struct {
	LockDigest string           `json:"lockDigest"`
	Package    string           `json:"package"`
	Version    string           `json:"version"`
	Programs   map[string]entry `json:"programs"`
	// Contents is the SHA-256 of the list of everything that was installed.
	Contents string `json:"contents"`
}

// An entry says how to start one program of the package.
type entry struct {
	// File is relative to the folder of the package.
	File string `json:"file"`
	// NodeArgs are the arguments of node in the first line of the file.
	NodeArgs []string `json:"nodeArgs,omitempty"`
	// Problem says why node cannot run the program, "" if it can.
	Problem string `json:"problem,omitempty"`
}

const (
	markerName = "installed.json"
	// usedEvery is the least time between two writes of the time of a folder's last use.
	usedEvery = 24 * time.Hour
	// unusedTime is the time for which a folder is kept after its last use.
	unusedTime = 90 * 24 * time.Hour
	// minDigest is the number of digits of a digest that are in the name of a folder.
	minDigest = 32
)

var errNoPlace = errors.New("there is no home directory to keep packages in")

// folder returns the folder for the packages of a pin. Each system has its own, and so have packages
// whose scripts ran.
func (s *Store) folder(pin domain.PackagePin) (string, error) {
	if s.directory == "" {
		return "", errNoPlace
	}
	digest := pin.LockDigest
	if len(digest) < minDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return "", fmt.Errorf("the lock has no digest of an npm lock file for %s", pin.Name)
	}
	name := strings.Join([]string{digest[:minDigest], runtime.GOOS, runtime.GOARCH}, "-")
	if pin.InstallScripts {
		name += "-scripts"
	}
	return filepath.Join(s.directory, name), nil
}

// installationOf reads the marker of a pin.
//
// Failures: fs.ErrNotExist in the chain if it is not installed; those of the file system.
func (s *Store) installationOf(pin domain.PackagePin) (folder string, installed marker, err error) {
	folder, err = s.folder(pin)
	if err != nil {
		return "", marker{}, err
	}
	path := filepath.Join(folder, markerName)
	text, err := safefile.ReadFile(path)
	if err == nil {
		err = safefile.Check(path)
	}
	if err != nil {
		return "", marker{}, err
	}
	if json.Unmarshal(text, &installed) != nil || installed.Contents == "" || installed.LockDigest != pin.LockDigest || installed.Package != pin.Name {
		return "", marker{}, fmt.Errorf("%s is not what the lock names: %w", folder, fs.ErrNotExist)
	}
	for _, program := range installed.Programs {
		if _, err := os.Stat(filepath.Join(folder, modules, pin.Name, program.File)); err != nil {
			return "", marker{}, err
		}
	}
	return folder, installed, nil
}

// IsInstalled implements ports.Packages. Uvx installs its packages itself.
func (s *Store) IsInstalled(pin domain.PackagePin) bool {
	if pin.Kind != domain.PackageNPM {
		return true
	}
	_, _, err := s.installationOf(pin)
	return err == nil
}

// touch records that a folder is in use. A folder that cannot be written can be used nevertheless.
func touch(folder string) {
	path, now := filepath.Join(folder, markerName), time.Now()
	if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > usedEvery {
		_ = os.Chtimes(path, now, now)
	}
}

// programsIn returns how to start the programs of an installed package.
func programsIn(packageFolder string, files bins) map[string]entry {
	programs := map[string]entry{}
	for name, file := range files {
		file = filepath.Clean(filepath.FromSlash(file))
		if !filepath.IsLocal(file) || !exists(filepath.Join(packageFolder, file)) {
			continue
		}
		args, problem := interpreter(filepath.Join(packageFolder, file))
		programs[name] = entry{File: file, NodeArgs: args, Problem: problem}
	}
	return programs
}

// maxFirstLine is the number of bytes of a program that are read for its first line.
const maxFirstLine = 256

// interpreter reads the first line of a program. It returns the arguments of node, or why node
// does not run the program.
func interpreter(path string) (nodeArgs []string, problem string) {
	file, err := safefile.Open(path)
	if err != nil {
		return nil, "it cannot be read"
	}
	defer func() { _ = file.Close() }() // it was only read from
	text := make([]byte, maxFirstLine)
	n, _ := file.Read(text) // an empty file is judged below
	first, _, _ := strings.Cut(string(text[:n]), "\n")
	line, ok := strings.CutPrefix(strings.TrimSpace(first), "#!")
	if !ok {
		if slices.Contains([]string{".js", ".mjs", ".cjs"}, filepath.Ext(path)) {
			return nil, ""
		}
		return nil, "it is not a script for node"
	}
	words := strings.Fields(line)
	if len(words) > 0 && filepath.Base(words[0]) == "env" {
		if words = words[1:]; len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "node" {
		return nil, "its first line names an interpreter other than node"
	}
	return words[1:], ""
}
