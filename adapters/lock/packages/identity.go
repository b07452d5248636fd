package packages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// A manifest is the part of a package.json, and of a package in a lock file, that says which package it is and on
// which others it depends.
type manifest struct {
	Name                 string `json:"name,omitempty"`
	Version              string `json:"version,omitempty"`
	Dependencies         specs  `json:"dependencies,omitempty"`
	OptionalDependencies specs  `json:"optionalDependencies,omitempty"`
	PeerDependencies     specs  `json:"peerDependencies,omitempty"`
}

// specs are the packages that another one depends on: by name, a range of versions, "npm:OTHER@RANGE" for another
// package under that name, or the URL of a tarball.
type specs map[string]string

// UnmarshalJSON implements json.Unmarshaler. Like npm it ignores what is not a text, in old packages.
func (s *specs) UnmarshalJSON(text []byte) error {
	var written map[string]any
	if json.Unmarshal(text, &written) == nil {
		*s = specs{}
	}
	for name, spec := range written {
		if spec, ok := spec.(string); ok {
			(*s)[name] = spec
		}
	}
	return nil
}

// depends returns what a package depends on. An optional dependency can be listed twice.
func (m manifest) depends() specs {
	all := maps.Clone(m.PeerDependencies)
	if all == nil {
		all = specs{}
	}
	maps.Copy(all, m.Dependencies)
	maps.Copy(all, m.OptionalDependencies)
	return all
}

// manifests returns what a lock file says about each package, by its folder.
func (l npmLock) manifests() map[string]manifest {
	said := map[string]manifest{}
	for folder, locked := range l.Packages {
		said[folder] = locked.manifest
	}
	return said
}

// disagreement returns an error if a folder of the lock file gets another package than those that depend on it ask
// for. said has the packages that depend, by folder.
//
// Decision: npm takes the name and the address of a package from the lock file, and they need not be those of the
// folder. Lock files that this program makes have them only for a package under another name and for a tarball, and
// both are named by what depends on them. Others lead elsewhere, so that a pin of one package would start another.
func (l npmLock) disagreement(said map[string]manifest) error {
	asked := map[string][]string{} // by folder
	for folder, dependent := range said {
		for name, spec := range dependent.depends() {
			if found, ok := l.lookUp(folder, name); ok {
				asked[found] = append(asked[found], spec)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(l.Packages)) {
		locked, name := l.Packages[folder], nameIn(folder)
		if folder == "" {
			continue
		}
		if len(asked[folder]) == 0 { // such as one that npm did not remove
			asked[folder] = []string{""}
		}
		for _, spec := range asked[folder] {
			if !locked.meets(spec, name) {
				return fmt.Errorf("it would install %s in place of %s", cmp.Or(locked.Resolved, locked.Name, name), asName(name, spec))
			}
		}
		if locked.InBundle && !l.bundles(folder) {
			return fmt.Errorf("it says that %s is part of another package, and it is part of none", name)
		}
	}
	return nil
}

// bundles reports whether a package above a folder of the lock file contains others.
func (l npmLock) bundles(folder string) bool {
	for above := folder; above != ""; {
		above = parent(above)
		if bundled := string(l.Packages[above].Bundles); above != "" && bundled != "" && bundled != "false" && bundled != "[]" {
			return true
		}
	}
	return false
}

// parent returns the folder of the package whose node_modules has a folder, "" for the project.
func parent(folder string) string {
	return strings.TrimSuffix(folder[:max(strings.LastIndex(folder, modules+"/"), 0)], "/")
}

// lookUp returns the folder of the lock file in which node finds a package for code in another folder.
func (l npmLock) lookUp(from, name string) (folder string, ok bool) {
	for {
		folder = path.Join(from, modules, name)
		if _, ok = l.Packages[folder]; ok || from == "" {
			return folder, ok
		}
		from = parent(from)
	}
}

const aliasPrefix = "npm:"

// meets reports whether a locked package in a folder of a name is the package that a spec asks for.
func (l npmLocked) meets(spec, name string) bool {
	if strings.Contains(spec, "://") {
		address, _, _ := strings.Cut(spec, "#")
		return l.Resolved == spec || l.Resolved == address
	}
	return l.Resolved == "" && cmp.Or(l.Name, name) == asName(name, spec)
}

// asName returns the name of the package that a spec asks for under a name, or the address of its tarball.
func asName(name, spec string) string {
	alias, isAlias := strings.CutPrefix(spec, aliasPrefix)
	switch {
	case isAlias:
		return withoutRange(alias)
	case strings.Contains(spec, "://"):
		return spec
	}
	return name
}

// withoutRange returns the name in "name@range" and "@scope/name@range".
func withoutRange(text string) string {
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		return text[:at]
	}
	return text
}

// checkInstalled returns an error unless each package in a folder is what the lock file says: by its own name and
// version, and as the installed packages that depend on it ask.
func (l npmLock) checkInstalled(folder string) error {
	installed := map[string]manifest{"": l.Packages[""].manifest}
	for _, at := range slices.Sorted(maps.Keys(l.Packages)) {
		if at == "" {
			continue
		}
		text, err := safefile.ReadFile(filepath.Join(folder, filepath.FromSlash(at), "package.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // such as an optional one for another system
		}
		if err != nil {
			return fmt.Errorf("read what %s is: %w", nameIn(at), err)
		}
		found, err := readManifest(text)
		if err != nil {
			return fmt.Errorf("read what %s is: %w", nameIn(at), err)
		}
		locked := l.Packages[at]
		name := cmp.Or(locked.Name, nameIn(at))
		if found.Name != name || plainVersion(found.Version) != plainVersion(locked.Version) {
			return fmt.Errorf("%s@%s was installed in place of %s@%s", found.Name, found.Version, name, locked.Version)
		}
		installed[at] = found
	}
	return l.disagreement(installed)
}

// plainVersion returns a version as registries write it.
func plainVersion(version string) string {
	version, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(version), "v= "), "+")
	return version
}

// Tarballs returns the addresses from which a lock file of npm for a package installs besides the registry of the
// user, sorted.
//
// Failures: a lock file that Install refuses.
func Tarballs(lockFile []byte, name string) ([]string, error) {
	lock, err := parseLock(lockFile, name)
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, locked := range lock.Packages {
		if locked.Resolved != "" {
			addresses = append(addresses, locked.Resolved)
		}
	}
	slices.Sort(addresses)
	return slices.Compact(addresses), nil
}
