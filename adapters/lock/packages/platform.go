package packages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// platform is a system by npm's names.
type platform struct{ OS, CPU, Libc string }

// askPlatform is a script for node that prints its platform. It tells C libraries apart as npm does
// (npm-install-checks/lib/current-env.js).
const askPlatform = `console.log(JSON.stringify({OS: process.platform, CPU: process.arch, Libc: process.platform !== "linux" ? "" :
	process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"}))`

// checkPlatform fails if a package for this system was not installed. Packages for one system are
// optional, and npm succeeds even if it could not download an optional package; the server would then
// never work.
func (s surroundings) checkPlatform(ctx context.Context, folder string, lock npmLock) error {
	if !slices.ContainsFunc(slices.Collect(maps.Values(lock.Packages)), npmLocked.isForSome) {
		return nil
	}
	node, ok := s.find("node")
	if !ok {
		return errors.New("node is not in PATH")
	}
	output, err := s.run(ctx, program{name: "node", path: node}, folder, "", "-e", askPlatform)
	if err != nil {
		return err
	}
	var here platform
	if err := json.Unmarshal([]byte(output.stdout), &here); err != nil {
		return fmt.Errorf("ask node for its platform: %w", err)
	}
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		locked := lock.Packages[path]
		if locked.isForSome() && locked.runsOn(here) && !exists(filepath.Join(folder, filepath.FromSlash(path), "package.json")) {
			return fmt.Errorf("npm left out %s, which is for this system: its download failed, or its bytes are not those that were locked", nameIn(path))
		}
	}
	return nil
}

// isForSome reports whether a package is only for some systems.
func (l npmLocked) isForSome() bool {
	return l.Optional && !l.InBundle && len(l.OS)+len(l.CPU) > 0
}

func (l npmLocked) runsOn(here platform) bool {
	return allows(l.OS, here.OS) && allows(l.CPU, here.CPU) && (here.Libc == "" || allows(l.Libc, here.Libc))
}

// allows reports whether a package's list names a value, or excludes only other values with "!"
// (npm-install-checks/lib/index.js).
func allows(list oneOrMore, value string) bool {
	named := slices.DeleteFunc(slices.Clone(list), func(entry string) bool { return strings.HasPrefix(entry, "!") })
	return !slices.Contains(list, "!"+value) && (len(named) == 0 || slices.Contains(named, value) || slices.Contains(named, "any"))
}

// oneOrMore is a list. In JSON, a list of one element can be written as that element.
type oneOrMore []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *oneOrMore) UnmarshalJSON(text []byte) error {
	var element string
	if json.Unmarshal(text, &element) == nil {
		*l = oneOrMore{element}
		return nil
	}
	var more []string
	err := json.Unmarshal(text, &more)
	*l = more
	return err
}
