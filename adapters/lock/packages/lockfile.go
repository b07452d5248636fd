package packages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// npmLock is the used part of npm's lock file
// (https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json).
type npmLock struct {
	Version  int                  `json:"lockfileVersion"`
	Packages map[string]npmLocked `json:"packages"`
}

// npmLocked is one package in a lock file.
type npmLocked struct {
	manifest
	Resolved  string `json:"resolved,omitempty"`
	Integrity string `json:"integrity,omitempty"`
	Link      bool   `json:"link,omitempty"`
	InBundle  bool   `json:"inBundle,omitempty"`
	// Bundles are the packages that this one contains: a list of names, or true for all.
	Bundles          json.RawMessage     `json:"bundleDependencies,omitempty"`
	PeerMeta         map[string]peerMeta `json:"peerDependenciesMeta,omitempty"`
	Optional         bool                `json:"optional,omitempty"`
	Peer             bool                `json:"peer,omitempty"`
	Dev              bool                `json:"dev,omitempty"`
	DevOptional      bool                `json:"devOptional,omitempty"`
	Engines          specs               `json:"engines,omitempty"`
	OS               oneOrMore           `json:"os,omitempty"`
	CPU              oneOrMore           `json:"cpu,omitempty"`
	Libc             oneOrMore           `json:"libc,omitempty"`
	HasInstallScript bool                `json:"hasInstallScript,omitempty"`
	HasShrinkwrap    bool                `json:"hasShrinkwrap,omitempty"`
	Bin              bins                `json:"bin,omitempty"`
}

// peerMeta says whether a peer is optional.
type peerMeta struct {
	Optional bool `json:"optional,omitempty"`
}

// text returns the lock file for npm.
//
// Decision: npm gets what this program understood and not the bytes of the repository, which npm could read in another way.
func (l npmLock) text() ([]byte, error) {
	l.Version = 3
	return json.MarshalIndent(struct {
		Name     string `json:"name"`
		Requires bool   `json:"requires"`
		npmLock
	}{projectName, true, l}, "", "  ")
}

// bins are the files of a package's programs by name. A single program can lack a name; its name is
// then "".
type bins map[string]string

// MarshalJSON implements json.Marshaler.
func (p bins) MarshalJSON() ([]byte, error) {
	if file, ok := p[""]; ok && len(p) == 1 {
		return json.Marshal(file)
	}
	return json.Marshal(map[string]string(p))
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *bins) UnmarshalJSON(text []byte) error {
	var file string
	if json.Unmarshal(text, &file) == nil {
		*p = bins{"": file}
		return nil
	}
	var several map[string]string
	err := json.Unmarshal(text, &several)
	*p = several
	return err
}

// modules is the folder of packages, in npm's lock file and on the disk.
const modules = "node_modules"

// maxNamed is the maximum number of packages that a message names.
const maxNamed = 3

// parseLock reads npm's lock file of a project that depends on one package, and fails if installing
// from it could give other bytes.
func parseLock(text []byte, name string) (npmLock, error) {
	var lock npmLock
	if err := readExactly(text, &lock); err != nil {
		return npmLock{}, fmt.Errorf("it is not a lock file of npm: %w", err)
	}
	if lock.Version < 2 || lock.Packages == nil {
		return npmLock{}, errors.New("it is not a lock file of npm 7 or newer")
	}
	main, ok := lock.Packages[path.Join(modules, name)]
	if wanted := lock.Packages[""].Dependencies; !ok || len(wanted) != 1 || wanted[name] != main.Version || main.Version == "" {
		return npmLock{}, fmt.Errorf("it is not for one version of %s", name)
	}
	var open []string
	for _, folder := range slices.Sorted(maps.Keys(lock.Packages)) {
		if folder == "" {
			continue
		}
		if !isModule(folder) {
			return npmLock{}, fmt.Errorf("it would install into %q", folder)
		}
		if locked := lock.Packages[folder]; !locked.isFixed() {
			open = append(open, nameIn(folder))
		}
	}
	if len(open) > 0 {
		names := domain.FirstNames(open, maxNamed, strings.Clone)
		return npmLock{}, fmt.Errorf("there is no integrity value for %s; only packages from a registry, or from a URL without a login, can be pinned", names)
	}
	return lock, lock.disagreement(lock.manifests())
}

// isModule reports whether a folder of the lock file is in node_modules.
func isModule(folder string) bool {
	return strings.HasPrefix(folder, modules+"/") && path.Clean(folder) == folder && !strings.Contains(folder, `\`) &&
		!slices.Contains(strings.Split(folder, "/"), "..")
}

// nameIn returns the name of the package in a folder of the lock file.
func nameIn(folder string) string {
	_, name := path.Split(folder)
	if at := strings.LastIndex(folder, modules+"/"); at >= 0 {
		name = folder[at+len(modules)+1:]
	}
	return name
}

// isFixed reports whether only the locked bytes can be installed. A bundled package is part of the
// bytes of another one.
func (l npmLocked) isFixed() bool {
	if l.Link {
		return false
	}
	if l.Resolved != "" {
		from, err := url.Parse(l.Resolved)
		if err != nil || from.User != nil || (from.Scheme != "https" && from.Scheme != "http") {
			return false
		}
	}
	return l.Integrity != "" || l.InBundle
}

// programs returns the programs of the package that the lock file is for.
func (l npmLock) programs(packageName string) bins {
	found := l.Packages[modules+"/"+packageName].Bin
	if single, ok := found[""]; ok {
		return bins{nameWithoutScope(packageName): single}
	}
	return found
}

func nameWithoutScope(packageName string) string {
	return packageName[strings.LastIndex(packageName, "/")+1:]
}

// own returns the name of the program that npx starts if none is named: the only one, or the one with
// the name of the package (get-bin-from-manifest.js of libnpmexec).
func (p bins) own(packageName string) (string, error) {
	name := nameWithoutScope(packageName)
	files := slices.Compact(slices.Sorted(maps.Values(p)))
	switch _, has := p[name]; {
	case len(files) == 1:
		return slices.Min(slices.Collect(maps.Keys(p))), nil
	case has:
		return name, nil
	case len(p) == 0:
		return "", fmt.Errorf("the package %s has no program", packageName)
	}
	return "", fmt.Errorf("the package %s has several programs (%s); name one with 'npx -p %s PROGRAM'",
		packageName, strings.Join(slices.Sorted(maps.Keys(p)), ", "), packageName)
}

// program returns the name of the program to start.
func (l Launch) program(p bins) (name string, err error) {
	name = l.Program
	if name == "" {
		if name, err = p.own(l.Package); err != nil {
			return "", err
		}
	}
	file, ok := p[name]
	if !ok {
		return "", fmt.Errorf("the package %s does not have the program that is named after '-p'; it has %s",
			l.Package, cmp.Or(strings.Join(slices.Sorted(maps.Keys(p)), ", "), "none"))
	}
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return "", fmt.Errorf("the program of the package %s is outside of it", l.Package)
	}
	return name, nil
}

// scriptedPackages returns the packages with installation scripts as "name@version", sorted.
func (l npmLock) scriptedPackages() []string {
	var found []string
	for folder, locked := range l.Packages {
		if locked.HasInstallScript {
			found = append(found, nameIn(folder)+"@"+locked.Version)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
