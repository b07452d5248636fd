package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/fileowner"
	"mcp-workbench/domain"
)

// seenTools are the names of the tools that list and call last saw, by the path of the
// configuration and by toolbox/server. Completion reads them, so that it need not start
// servers. They are kept in a file in the state directory.
type seenTools map[string]map[string][]string

// readSeenTools returns what was seen. A file that is not there, or that cannot be
// read, holds nothing.
func readSeenTools() seenTools {
	seen := seenTools{}
	path, err := seenToolsPath()
	if err != nil {
		return seen
	}
	text, err := atomicfile.ReadFile(path)
	if err != nil || fileowner.Check(path) != nil || json.Unmarshal(text, &seen) != nil || seen == nil {
		return seenTools{}
	}
	return seen
}

func seenToolsPath() (string, error) {
	state, err := stateDirectory()
	return filepath.Join(state, "seen-tools.json"), err
}

// toolsOf returns the tools of a server of a configuration.
func (s seenTools) toolsOf(configuration string, server domain.ServerID) []string {
	return s[absolute(configuration)][server.Path()]
}

// recordSeen remembers the tools of servers that could be reached. A failure costs
// completions only, so it is logged.
func recordSeen(configuration string, listed domain.OpenedToolbox, log *slog.Logger) {
	seen, configuration := readSeenTools(), absolute(configuration)
	if seen[configuration] == nil {
		seen[configuration] = map[string][]string{}
	}
	for _, server := range listed.Servers {
		if server.Failure == nil {
			seen[configuration][server.ID.Path()] = domain.ToolList{Tools: server.Tools}.Names()
		}
	}
	if err := seen.save(); err != nil {
		// Commands show no more than errors, and a person should know who can change this folder.
		log.Error("could not remember the tools for completion", "error", err)
	}
}

func (s seenTools) save() error {
	path, err := seenToolsPath()
	if err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write down the tools: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the state directory: %w", err)
	}
	if err := fileowner.Check(filepath.Dir(path)); err != nil {
		return err
	}
	if fileowner.Check(path) != nil {
		_ = os.Remove(path) // else the new file has the mode and the owner of the one before
	}
	return atomicfile.Replace(path, text, 0o600)
}

// absolute returns a path that means the same in every directory.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
