package doctor

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// checkSecrets finds secrets in plain text in a configuration that every user can read, and in files that it
// includes. The keys of client certificates are secrets too.
func checkSecrets(_ context.Context, d *Doctor) []Finding {
	if runtime.GOOS == "windows" {
		return nil
	}
	secrets := map[string][]string{}
	var findings []Finding
	files := append([]string{d.configuration.Path}, d.configuration.Included...)
	for server := range d.servers {
		toolbox, _ := d.configuration.Catalog.Toolbox(server.ID.Toolbox) // which the server is in
		file := cmp.Or(toolbox.File, d.configuration.Path)
		for _, secret := range d.surroundings.Keys.SecretsIn(server.Configured, string(server.ID.Server)) {
			secrets[file] = append(secrets[file], secret.Place()+" of "+server.ID.Path())
		}
		if program := server.Shown.Program; masking.HasInline(program.Command, program.Args, server.Shown.Address) {
			secrets[file] = append(secrets[file], "an argument or the address of "+server.ID.Path())
		}
		if key := server.Traits.KeyFile; key != "" && readableByAll(key) {
			findings = append(findings, Finding{
				codeReadable, key, "every user on this machine can read the key of the client certificate of " + server.ID.Path(),
				domain.QuotedCommand("chmod 600 " + domain.ShellWord(key)),
			})
		}
	}
	for _, file := range files {
		if len(secrets[file]) > 0 && readableByAll(file) {
			fix := "mcp-workbench doctor --fix"
			if file != d.configuration.Path {
				fix += " --config " + domain.ShellWord(file)
			}
			findings = append(findings, Finding{
				codeReadable, file, "every user on this machine can read what looks like secrets: " + strings.Join(secrets[file], ", "),
				domain.QuotedCommand("chmod 600 "+domain.ShellWord(file)) + ", or keep them elsewhere: write \"${NAME}\" in their place and " + elsewhere() +
					" at the root (" + domain.QuotedCommand(fix) + " does that)",
			})
		}
	}
	return findings
}

// elsewhere returns the line of the configuration for a secret in the password store that this system has.
func elsewhere() string {
	command := `["pass", "show", "NAME"]`
	if runtime.GOOS == "darwin" {
		command = `["security", "find-generic-password", "-s", "mcp-workbench", "-a", "NAME", "-w"]`
	} else if programs.Find(os.Getenv("PATH"), "secret-tool") != "" {
		command = `["secret-tool", "lookup", "service", "mcp-workbench", "account", "NAME"]`
	}
	return `"secrets": {"NAME": {"command": ` + command + `}}`
}

// readableByAll reports whether the modes of a file and of every folder above it let
// every user read it.
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
