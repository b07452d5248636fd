package plugins

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Written is a plugin with one server: the workbench with some toolboxes.
type Written struct {
	// Program is the name of the workbench in the PATH, and Version its version.
	Program, Version string
	// Toolboxes are those that its hosts see. All is set if they are all that the configuration has, also later.
	Toolboxes []domain.Toolbox
	All       bool
	// Files are further files, such as skills, by their paths in the plugin.
	Files map[string][]byte
}

// Name returns the name of the plugin.
func (w Written) Name() string {
	if name := "workbench-" + strings.ToLower(strings.Join(domain.NamesOf(w.Toolboxes), "-")); !w.All && isName(name) {
		return name
	}
	return "mcp-workbench"
}

// Write writes the plugin into a folder, which is made, and must be empty if it exists. Nothing in it is a secret or a path of
// this machine.
//
// Failures: a folder that is not empty; those of the file system.
func (w Written) Write(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s is not empty; name a new folder", folder)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write a plugin into %s: %w", folder, err)
	}
	files := map[string][]byte{Manifest: w.manifest(), ServersFile: w.servers(), "README.md": []byte(w.readme())}
	maps.Copy(files, w.Files)
	for path, text := range files {
		path = filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a plugin is for others
			return fmt.Errorf("write a plugin into %s: %w", folder, err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // a plugin is for others
			return fmt.Errorf("write a plugin into %s: %w", folder, err)
		}
	}
	return nil
}

func (w Written) manifest() []byte {
	return indented(struct {
		Schema      string `json:"$schema"`
		Name        string `json:"name"`
		Version     string `json:"version"`
		Description string `json:"description"`
	}{ManifestSchema, w.Name(), w.Version, "MCP Workbench with the toolboxes " + strings.Join(domain.NamesOf(w.Toolboxes), ", ")})
}

func (w Written) servers() []byte {
	type server struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	return indented(struct {
		Schema  string            `json:"$schema"`
		Servers map[string]server `json:"mcpServers"`
	}{ServersSchema, map[string]server{"workbench": {"stdio", w.Program, w.args()}}})
}

func (w Written) args() []string {
	if w.All {
		return []string{"serve"}
	}
	return []string{"serve", "--toolbox", strings.Join(domain.NamesOf(w.Toolboxes), ",")}
}

func indented(value any) []byte {
	text, _ := json.MarshalIndent(value, "", "  ") // structs of texts can always be encoded
	return append(text, '\n')
}

// reference matches the variables without a default in the settings of a server.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// readme says what the toolboxes need from the user of the plugin.
func (w Written) readme() string {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\nAn Agent Plugin (agent-plugins.org) that starts `%s %s`.\n\nIt needs from its user:\n\n", w.Name(), w.Program, strings.Join(w.args(), " "))
	fmt.Fprintf(&text, "- `%s` in the PATH of the host\n", w.Program)
	fmt.Fprintf(&text, "- a configuration of it with the toolboxes %s (`%s validate` names the file)\n", strings.Join(domain.NamesOf(w.Toolboxes), ", "), w.Program)
	for server := range domain.ServersOf(w.Toolboxes) {
		if needs := needsOf(server); len(needs) > 0 {
			fmt.Fprintf(&text, "- for %s: %s\n", server.ID.Path(), strings.Join(needs, ", "))
		}
	}
	return text.String()
}

// needsOf returns what a server needs: a program by its name, a host, and variables.
func needsOf(server domain.Server) []string {
	var needs []string
	if command := server.Shown.Program.Command; command != "" && isBareName(command) && !strings.Contains(command, "$") {
		needs = append(needs, "the program `"+command+"`")
	}
	if address, err := url.Parse(server.Shown.Address); err == nil && address.Hostname() != "" && !strings.Contains(address.Hostname(), "$") {
		needs = append(needs, "access to "+address.Hostname())
	}
	var variables []string
	if server.Data == "" { // what a plugin writes is text
		for _, found := range reference.FindAllSubmatch(server.Configured, -1) {
			variables = append(variables, string(found[1]))
		}
	}
	variables = append(variables, server.Traits.Inherits...)
	slices.Sort(variables)
	for _, name := range slices.Compact(variables) {
		needs = append(needs, "the variable `"+name+"`")
	}
	return needs
}
