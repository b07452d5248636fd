package packages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Changes implements ports.Packages. A package that is needed in several versions has
// them all, sorted and separated by ", ". A text that is no lock file has no packages.
func (*Store) Changes(before, after []byte) []domain.PackageChange {
	was, is := releases(before), releases(after)
	names := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is)))
	slices.Sort(names)
	var changes []domain.PackageChange
	for _, name := range slices.Compact(names) {
		change := domain.PackageChange{Name: name, Before: versions(was[name]), After: versions(is[name])}
		for version, integrity := range is[name] {
			if earlier, both := was[name][version]; both && earlier != integrity {
				change.OtherBytes = true
			}
		}
		if change.Before != change.After || change.OtherBytes {
			changes = append(changes, change)
		}
	}
	return changes
}

// releases returns the integrity value of each version of each package in a lock file.
func releases(lockFile []byte) map[string]map[string]string {
	var lock npmLock
	found := map[string]map[string]string{}
	if json.Unmarshal(lockFile, &lock) != nil {
		return found
	}
	for folder, locked := range lock.Packages {
		if folder == "" {
			continue
		}
		name := nameIn(folder)
		if found[name] == nil {
			found[name] = map[string]string{}
		}
		found[name][locked.Version] = locked.Integrity
	}
	return found
}

func versions(of map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(of)), ", ")
}
