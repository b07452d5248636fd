package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// checkSecretPlaces finds commands of "secrets" whose programs do not exist, and files that cannot be
// opened. It runs no command and reads no file.
func checkSecretPlaces(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	for _, place := range d.configuration.Secrets {
		about := "secrets." + place.Variable
		if found := missing(place); found != "" {
			findings = append(findings, Finding{codeSecret, about, found, "install it or correct the path, or set " + place.Variable + " in the environment"})
		}
	}
	return findings
}

// missing says what is missing at a place of a secret, "" for nothing.
func missing(place domain.SecretPlace) string {
	if place.File != "" {
		file, err := safefile.OpenGiven(place.File)
		if err != nil {
			return fmt.Sprintf("the file of the secret cannot be read: %s", err)
		}
		_ = file.Close() // nothing was read
		return ""
	}
	command := place.Program.Command
	if !strings.ContainsAny(command, `/\`) {
		if programs.Find(os.Getenv("PATH"), command) == "" {
			return fmt.Sprintf("the command '%s' of the secret is not in the PATH here", command)
		}
		return ""
	}
	if !filepath.IsAbs(command) {
		command = filepath.Join(place.Program.Cwd, command)
	}
	if programs.Find(filepath.Dir(command), filepath.Base(command)) == "" {
		return fmt.Sprintf("the command '%s' of the secret does not exist", place.Program.Command)
	}
	return ""
}
