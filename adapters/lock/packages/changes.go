package packages

import (
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Changes implements ports.Packages. The versions of a package that is needed in several are sorted
// and separated by ", ". A text that is not a lock file has no packages.
func (*Store) Changes(before, after []byte) []domain.PackageChange {
	old, now := releases(before), releases(after)
	names := slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(now)))
	slices.Sort(names)
	var changes []domain.PackageChange
	for _, name := range slices.Compact(names) {
		change := domain.PackageChange{Name: name, Before: versions(old[name]), After: versions(now[name])}
		for version, integrity := range now[name] {
			if earlier, both := old[name][version]; both && earlier != integrity {
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
	if readExactly(lockFile, &lock) != nil {
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

func versions(releases map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(releases)), ", ")
}
