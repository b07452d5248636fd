package launcher

import (
	"slices"
	"strings"
)

// npmLaunchers run packages of npm.
var npmLaunchers = []string{"npx", "npm", "pnpx", "pnpm", "bunx", "bun", "yarn"}

// NPMPackage returns the name, without a version, of the npm package that the command line runs, also through
// a shell or another wrapper. It returns "" for none.
func (l Line) NPMPackage() string {
	if len(l.Wrapped) > 0 && !l.Launcher {
		return Read(l.Wrapped[0], l.Wrapped[1:]).NPMPackage()
	}
	if !l.Fetches || !slices.Contains(npmLaunchers, l.Program) {
		return ""
	}
	name, _, _ := NPMPackage(l.Target())
	return name
}

// NPMPackage splits the name of an npm package from its version: "@scope/name@^1.2". It reports
// false for everything that is not fetched from a registry under its own name
// (https://docs.npmjs.com/cli/v11/using-npm/package-spec).
func NPMPackage(spec string) (name, version string, ok bool) {
	name = spec
	if at := strings.LastIndex(spec, "@"); at > 0 {
		name, version = spec[:at], spec[at+1:]
	}
	unscoped := name
	if scope, rest, scoped := strings.Cut(name, "/"); scoped {
		if !strings.HasPrefix(scope, "@") || !isNPMName(scope[1:]) {
			return "", "", false
		}
		unscoped = rest
	}
	if !isNPMName(unscoped) || isTarball(unscoped) || isTarball(version) || strings.ContainsAny(version, `:/\`) || strings.HasPrefix(version, ".") {
		return "", "", false
	}
	return name, version, true
}

// isNPMName reports whether a text is a legal part of a package's name
// (https://github.com/npm/validate-npm-package-name).
func isNPMName(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	return name != "" && !strings.ContainsAny(name[:1], "._-") && strings.Trim(name, letters) == ""
}

func isTarball(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tar")
}
