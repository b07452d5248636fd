package main

import (
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
