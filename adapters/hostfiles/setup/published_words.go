package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/domain"
)

// IsEntryFile reports whether a word of add is the path of a file in JSON, which describes a server as the registry does. The
// file may be missing: unlike paths, names of the registry begin with a domain and a slash.
func IsEntryFile(word string) bool {
	if filepath.Ext(word) != ".json" {
		return false
	}
	if info, err := os.Stat(word); err == nil {
		return info.Mode().IsRegular()
	}
	return !strings.Contains(word, "/") || strings.HasPrefix(word, ".") || filepath.IsAbs(word)
}

// readEntry reads the server that a file describes.
//
// Failures: *UsageError for a file with anything else, and for one that does not exist.
func readEntry(path string) (registry.Server, error) {
	text, err := hostfiles.LoadIfThere(path)
	switch {
	case err != nil:
		return registry.Server{}, err
	case text == nil:
		return registry.Server{}, &UsageError{fmt.Errorf("there is no file %s", path)}
	}
	server, err := registry.ReadEntry(text)
	if err != nil && server.Name == "" {
		return server, &UsageError{fmt.Errorf("%s is no entry of the MCP registry; 'mcp-workbench import %s' imports the servers of a host's file",
			path, domain.ShellWord(path))}
	}
	return server, err
}

// NamesPublished reports whether the words of add name a server of the registry: a name and values, without a command, an
// address or flags that describe one.
func (d *DescribedServer) NamesPublished(words []string, dash int) bool {
	if dash >= 0 || len(words) == 0 || d.URL != "" || len(d.Env)+len(d.Headers)+len(d.Set) > 0 || d.Transport+d.Cwd+d.ClientID != "" {
		return false
	}
	if isAddress(words[0]) || strings.Contains(words[0], "=") {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(word string) bool {
		name, _, isValue := strings.Cut(word, "=")
		return !isValue || name == "" || strings.ContainsAny(name, "/ ")
	})
}

// SplitVersion splits NAME@VERSION.
func SplitVersion(word string) (name, version string, err error) {
	name, version, hasVersion := strings.Cut(word, "@")
	if name == "" || hasVersion && version == "" {
		return "", "", errors.New("name the server as NAME or NAME@VERSION, such as io.github.owner/server@1.0.0")
	}
	return name, version, nil
}

// optionalOnly returns the names of the optional inputs without a default if there are more than a reader looks through,
// otherwise nil.
func optionalOnly(inputs []registry.Input) (names []string) {
	for _, input := range inputs {
		if !input.Required && input.Default == "" {
			names = append(names, input.Name)
		}
	}
	if most := 12; len(names) <= most {
		return nil
	}
	return names
}
