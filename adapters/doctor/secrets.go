package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/system/searchpath"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// checkSecrets finds secrets in plain text in a configuration that everybody can read.
func checkSecrets(_ context.Context, d *Doctor) []Finding {
	path := d.configuration.Path
	if runtime.GOOS == "windows" || !readableByAll(path) {
		return nil
	}
	var secrets []string
	for server := range d.servers {
		var settings serverconfig.Settings
		if json.Unmarshal(server.Configured, &settings) != nil {
			continue // another transport's
		}
		s := serverconfig.Server{Name: string(server.ID.Server), Settings: settings}
		for _, secret := range s.Secrets() {
			secrets = append(secrets, fmt.Sprintf("%s.%s of %s", secret.Key, secret.Name, server.ID.Path()))
		}
		if settings.HasInlineSecrets() {
			secrets = append(secrets, "an argument or the address of "+server.ID.Path())
		}
	}
	if len(secrets) == 0 {
		return nil
	}
	return []Finding{{
		codeReadable, path, "everybody on this machine can read what looks like secrets: " + strings.Join(secrets, ", "),
		domain.QuotedCommand("chmod 600 "+domain.ShellWord(path)) + ", or keep them elsewhere: write \"${NAME}\" in their place and " + elsewhere() +
			" at the root ('mcp-workbench doctor --fix' does that)",
	}}
}

// elsewhere returns the line of the configuration for a secret in the password store that this system has.
func elsewhere() string {
	command := `["pass", "show", "NAME"]`
	if runtime.GOOS == "darwin" {
		command = `["security", "find-generic-password", "-s", "mcp-workbench", "-a", "NAME", "-w"]`
	} else if searchpath.Find(os.Getenv("PATH"), "secret-tool") != "" {
		command = `["secret-tool", "lookup", "service", "mcp-workbench", "account", "NAME"]`
	}
	return `"secrets": {"NAME": {"command": ` + command + `}}`
}

// readableByAll reports whether the modes of a file and of every folder above it let
// everybody read it.
func readableByAll(path string) bool {
	const read, enter = 0o004, 0o001
	info, err := os.Stat(path)
	if err != nil || info.Mode()&read == 0 {
		return false
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&enter == 0 {
			return false
		}
		if folder == filepath.Dir(folder) {
			return true
		}
	}
}
