package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

const ownFolder = "mcp-workbench"

// stateDirectory returns where the program keeps what it has to remember and nobody
// edits. It need not exist.
func stateDirectory() (string, error) {
	home, err := os.UserHomeDir()
	directory := stateDirectoryOf(runtime.GOOS, home, os.Getenv)
	switch {
	case filepath.IsAbs(directory): // it needs no home where a variable names it
		return directory, nil
	case err == nil: // the working directory, which may be anybody's, would decide
		err = fmt.Errorf("the home directory %q is no absolute path", home)
	}
	return "", fmt.Errorf("find the state directory: %w", err)
}

// stateDirectoryOf follows each system's habit. On Linux it is that of the XDG base
// directories, whose relative paths are to be ignored.
func stateDirectoryOf(system, home string, getenv func(string) string) string {
	switch system {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", ownFolder)
	case "windows":
		if local := getenv("LocalAppData"); local != "" {
			return filepath.Join(local, ownFolder)
		}
		return filepath.Join(home, "AppData", "Local", ownFolder)
	}
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, ownFolder)
	}
	return filepath.Join(home, ".local", "state", ownFolder)
}
