package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mcp-workbench/domain/protocol"
)

// release is the version of a program that was released. The linker sets it, see
// cmd/mcp-workbench/packaging: Go knows no version of a module that is built from its
// own repository and is not named for it.
var release string

// version returns the version of the release, else that of the module that the program
// was built from, else "devel" with the revision, if it is known.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	if revision, modified := revision(info); revision != "" {
		return "devel-" + revision[:min(12, len(revision))] + modified
	}
	return "devel"
}

// revision returns the revision that the program was built from, "" if it is not known, and "+dirty"
// when there were changes.
func revision(info *debug.BuildInfo) (revision, modified string) {
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = "+dirty"
		}
	}
	return revision, modified
}

// description is what version says with --json.
type description struct {
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

func describe() description {
	d := description{
		Version: version(), GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		ProtocolVersions: protocol.Versions(),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if revision, modified := revision(info); revision != "" {
			d.Commit = revision + modified
		}
	}
	return d
}

// printVersion prints the version, or what the program was built from as JSON.
func printVersion(asJSON bool) error {
	var err error
	if asJSON {
		err = json.NewEncoder(console.Out).Encode(describe())
	} else {
		_, err = fmt.Fprintf(console.Out, "mcp-workbench %s\n", version())
	}
	if err != nil {
		return fmt.Errorf("write the version: %w", err)
	}
	return nil
}

func newVersionCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the version, with --json also what the program was built from",
		Args:  noWords,
		RunE:  func(*cobra.Command, []string) error { return printVersion(asJSON) },
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print version, commit, Go version, platform and protocol versions as one JSON object")
	return command
}
