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

// platform is a system in the words of npm.
type platform struct{ OS, CPU, Libc string }

// askPlatform is a script of node that prints its platform. npm tells C libraries apart
// like this, too (npm-install-checks/lib/current-env.js).
const askPlatform = `console.log(JSON.stringify({OS: process.platform, CPU: process.arch, Libc: process.platform !== "linux" ? "" :
	process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"}))`

// leftOut fails when a package for this system was not installed. npm ends well when an
// optional package cannot be downloaded, and those for one system alone are optional:
// the server would not work, and nobody would try again.
func (s surroundings) leftOut(ctx context.Context, folder string, lock npmLock) error {
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
	var is platform
	if err := json.Unmarshal([]byte(output.stdout), &is); err != nil {
		return fmt.Errorf("ask node for its platform: %w", err)
	}
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		locked := lock.Packages[path]
		if locked.isForSome() && locked.runsOn(is) && !exists(filepath.Join(folder, filepath.FromSlash(path), "package.json")) {
			return fmt.Errorf("npm left %s out, which is for this system: its download failed, or its bytes are others than those that were locked", nameIn(path))
		}
	}
	return nil
}

// isForSome reports whether a package is for some systems only, and others do without.
func (l npmLocked) isForSome() bool {
	return l.Optional && !l.InBundle && len(l.OS)+len(l.CPU) > 0
}

func (l npmLocked) runsOn(is platform) bool {
	return allows(l.OS, is.OS) && allows(l.CPU, is.CPU) && (is.Libc == "" || allows(l.Libc, is.Libc))
}

// allows reports whether a list of a package names a value, or only others with "!"
// (npm-install-checks/lib/index.js).
func allows(list oneOrMore, value string) bool {
	named, refused := false, 0
	for _, entry := range list {
		other, isRefusal := strings.CutPrefix(entry, "!")
		switch {
		case isRefusal && other == value:
			return false
		case isRefusal:
			refused++
		default:
			named = named || entry == value || entry == "any"
		}
	}
	return named || refused == len(list)
}

// oneOrMore is a list that may be written as its only element.
type oneOrMore []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*l = oneOrMore{one}
		return nil
	}
	var more []string
	err := json.Unmarshal(text, &more)
	*l = more
	return err
}
