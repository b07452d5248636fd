package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal/commandline"
)

// release is the version of a released program. The linker sets it (see cmd/release), since Go
// knows no version for a module whose path is not that of the repository.
var release string

var version = versionOf(release)

func newVersionCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the version, with --json also what the program was built from",
		Args:  commandline.NoWords,
		RunE:  func(*cobra.Command, []string) error { return printVersion(console.Out, asJSON) },
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print version, commit, Go version, platform and protocol versions as one JSON object")
	return command
}

// buildInfo describes a build. It is written as JSON.
type buildInfo struct {
	Version string `json:"version"`
	// Commit is the revision from which the program was built, with "+dirty" if there
	// were changes, "" if it is not known.
	Commit    string `json:"commit"`
	GoVersion string `json:"goVersion"`
	// Platform is GOOS/GOARCH.
	Platform string `json:"platform"`
	// ProtocolVersions are the protocol versions that hosts can use, newest first.
	ProtocolVersions []string `json:"protocolVersions"`
}

// readBuildInfo returns the information about this build. The argument release is the version of a release, "" for none.
func readBuildInfo(release string) buildInfo {
	info := buildInfo{
		Version: versionOf(release), GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		ProtocolVersions: mcp.ValidProtocolVersions,
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Commit = commit(build)
	}
	return info
}

// versionOf returns the version of the release or, if that is "", the tag from which the program was built.
// Without a tag, it returns "devel" with the commit, if that is known.
//
// Decision: the version of a commit without a tag is always "devel" with the commit, however it was
// built. Go's pseudo-version, v0.0.0 with the time, is not used.
func versionOf(release string) string {
	if release != "" {
		return release
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	return versionIn(build)
}

// versionIn returns the version of a program that is not a release.
func versionIn(build *debug.BuildInfo) string {
	version, changes, _ := strings.Cut(build.Main.Version, "+")
	if strings.HasPrefix(version, "v") && !isPseudo(version) && changes == "" {
		return version
	}
	const short = 12
	revision, dirty, isDirty := strings.Cut(commit(build), "+")
	switch {
	case revision == "" && isPseudo(version): // built from a module of a proxy
		return "devel-" + version[strings.LastIndex(version, "-")+1:]
	case revision == "":
		return "devel"
	case isDirty:
		dirty = "+" + dirty
	}
	return "devel-" + revision[:min(short, len(revision))] + dirty
}

// isPseudo reports whether a version is a pseudo-version, which Go uses for a commit without a tag:
// v0.0.0-20261122171554-0acdc88f634e.
func isPseudo(version string) bool {
	parts := strings.Split(version, "-")
	if len(parts) < 3 {
		return false
	}
	time := parts[len(parts)-2]
	time = time[strings.LastIndex(time, ".")+1:]
	const digits, hash = 14, 12
	return len(time) == digits && strings.Trim(time, "0123456789") == "" && len(parts[len(parts)-1]) == hash
}

// commit returns the revision of a build, with "+dirty" if there were changes, "" if it is not known.
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

// printVersion writes the version of the program, or all information about the build as JSON.
func printVersion(out io.Writer, asJSON bool) error {
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(readBuildInfo(release))
	} else {
		_, err = fmt.Fprintf(out, "mcp-workbench %s\n", version)
	}
	if err != nil {
		return fmt.Errorf("write the version: %w", err)
	}
	return nil
}
