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
)

// npmLock is what is read of npm's lock file
// (https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json).
type npmLock struct {
	Version  int                  `json:"lockfileVersion"`
	Packages map[string]npmLocked `json:"packages"`
}

// npmLocked is one package, by the folder in which it will be.
type npmLocked struct {
	Version          string            `json:"version"`
	Resolved         string            `json:"resolved"`
	Integrity        string            `json:"integrity"`
	Link             bool              `json:"link"`
	InBundle         bool              `json:"inBundle"`
	Optional         bool              `json:"optional"`
	OS               oneOrMore         `json:"os"`
	CPU              oneOrMore         `json:"cpu"`
	Libc             oneOrMore         `json:"libc"`
	HasInstallScript bool              `json:"hasInstallScript"`
	Bin              programs          `json:"bin"`
	Dependencies     map[string]string `json:"dependencies"`
}

// programs are the files of a package's programs, by their names. A single one may be
// written without its name, which is "" then.
type programs map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (p *programs) UnmarshalJSON(text []byte) error {
	var file string
	if json.Unmarshal(text, &file) == nil {
		*p = programs{"": file}
		return nil
	}
	var several map[string]string
	err := json.Unmarshal(text, &several)
	*p = several
	return err
}

// modules is the folder of packages, in npm's lock file and on the disk.
const modules = "node_modules"

// maxNamed is how many packages a message names.
const maxNamed = 3

// parseLock reads npm's lock file of a project that needs one package, and judges
// whether installing from it always gives the same bytes.
func parseLock(text []byte, name string) (npmLock, error) {
	var lock npmLock
	if err := json.Unmarshal(text, &lock); err != nil {
		return npmLock{}, fmt.Errorf("it is no lock file of npm: %w", err)
	}
	if lock.Version < 2 || lock.Packages == nil {
		return npmLock{}, errors.New("it is no lock file of npm 7 or newer")
	}
	main, ok := lock.Packages[path.Join(modules, name)]
	if wanted := lock.Packages[""].Dependencies; !ok || len(wanted) != 1 || wanted[name] != main.Version || main.Version == "" {
		return npmLock{}, fmt.Errorf("it is not about one version of %s", name)
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
		more := ""
		if len(open) > maxNamed {
			more = fmt.Sprintf(" and %d more", len(open)-maxNamed)
		}
		return npmLock{}, fmt.Errorf("there is no integrity value for %s%s: only what comes from a registry, or by a URL without a login, can be pinned",
			strings.Join(open[:min(len(open), maxNamed)], ", "), more)
	}
	return lock, nil
}

// isModule reports whether a folder of the lock file is one in node_modules.
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

// isFixed reports whether what is installed can only be the bytes that were locked. What
// is in a bundle comes with the package that it is in.
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

// programs returns the programs of the package that the lock file is about.
func (l npmLock) programs(packageName string) programs {
	found := l.Packages[modules+"/"+packageName].Bin
	if single, is := found[""]; is {
		return programs{unscoped(packageName): single}
	}
	return found
}

func unscoped(packageName string) string { return packageName[strings.LastIndex(packageName, "/")+1:] }

// own returns the name of the program that npx starts when none is named: the only one,
// or the one that is called like the package (get-bin-from-manifest.js of libnpmexec).
func (p programs) own(packageName string) (string, error) {
	name := unscoped(packageName)
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

// program returns the name of the program that a launch starts.
func (l Launch) program(p programs) (name string, err error) {
	name = l.Program
	if name == "" {
		if name, err = p.own(l.Package); err != nil {
			return "", err
		}
	}
	file, ok := p[name]
	if !ok {
		return "", fmt.Errorf("the package %s has no program of the name that is given after '-p'; it has %s",
			l.Package, cmp.Or(strings.Join(slices.Sorted(maps.Keys(p)), ", "), "none"))
	}
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return "", fmt.Errorf("the program of the package %s is outside of it", l.Package)
	}
	return name, nil
}

// scripted returns the packages that have scripts for their installation, as
// "name@version", sorted.
func (l npmLock) scripted() []string {
	var found []string
	for folder, locked := range l.Packages {
		if locked.HasInstallScript {
			found = append(found, nameIn(folder)+"@"+locked.Version)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
