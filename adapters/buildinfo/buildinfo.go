// Package buildinfo says which version a program is of and what it was built from.
//
// Decision: a commit without a tag has one version, however it is built: "devel" with the commit.
// Go's own, a made-up v0.0.0 with the time, is not used.
package buildinfo

import (
	"runtime"
	"runtime/debug"
	"strings"

	"mcp-workbench/domain/protocol"
)

// Info describes the sources of a build. It is written as JSON.
type Info struct {
	Version string `json:"version"`
	// Commit is the revision that the program was built from, with "+dirty" when there
	// were changes; "" when that is not known.
	Commit    string `json:"commit"`
	GoVersion string `json:"goVersion"`
	// Platform is GOOS/GOARCH.
	Platform string `json:"platform"`
	// ProtocolVersions are those that hosts can speak, newest first.
	ProtocolVersions []string `json:"protocolVersions"`
}

// Read returns what this program was built from. The version of a release, if it is one, counts.
func Read(release string) Info {
	info := Info{
		Version: Version(release), GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		ProtocolVersions: protocol.Versions(),
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Commit = commit(build)
	}
	return info
}

// Version returns the version of the release, else the tag that the program was built from, else
// "devel" with the commit, if it is known.
func Version(release string) string {
	if release != "" {
		return release
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	return VersionIn(build)
}

// VersionIn returns the version of a program that is not a release.
func VersionIn(build *debug.BuildInfo) string {
	version, changes, _ := strings.Cut(build.Main.Version, "+")
	if strings.HasPrefix(version, "v") && !isMadeUp(version) && changes == "" {
		return version
	}
	const short = 12
	revision, dirty, isDirty := strings.Cut(commit(build), "+")
	switch {
	case revision == "" && isMadeUp(version): // a module of a proxy
		return "devel-" + version[strings.LastIndex(version, "-")+1:]
	case revision == "":
		return "devel"
	case isDirty:
		dirty = "+" + dirty
	}
	return "devel-" + revision[:min(short, len(revision))] + dirty
}

// isMadeUp reports whether a version is one that Go makes of a commit without a tag:
// v0.0.0-20261122171554-0acdc88f634e.
func isMadeUp(version string) bool {
	parts := strings.Split(version, "-")
	if len(parts) < 3 {
		return false
	}
	time := parts[len(parts)-2]
	time = time[strings.LastIndex(time, ".")+1:]
	const digits, hash = 14, 12
	return len(time) == digits && strings.Trim(time, "0123456789") == "" && len(parts[len(parts)-1]) == hash
}

// commit returns the revision of a build, "" if it is not known, and "+dirty" when there were changes.
func commit(build *debug.BuildInfo) string {
	revision, modified := "", ""
	for _, setting := range build.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = "+dirty"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + modified
}
