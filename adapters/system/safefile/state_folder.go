package safefile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

const ownFolder = "mcp-workbench"

// StateFolder returns the absolute path of the folder for files that the program writes and users do not edit. It need
// not exist.
//
// Failures: neither a home directory nor a variable determines the folder.
func StateFolder() (string, error) {
	home, err := os.UserHomeDir()
	directory := stateFolderOn(runtime.GOOS, home, os.Getenv)
	switch {
	case filepath.IsAbs(directory): // a variable may determine it without a home directory
		return directory, nil
	case err == nil: // a relative path would be in the working directory, which others may own
		err = fmt.Errorf("the home directory %q is not an absolute path", home)
	}
	return "", fmt.Errorf("find the state directory: %w", err)
}

// InStateFolder returns a function that returns the path of a file or folder in the state folder. The function fails if
// StateFolder does.
func InStateFolder(name string) func() (string, error) {
	return func() (string, error) {
		state, err := StateFolder()
		if err != nil {
			return "", err
		}
		return filepath.Join(state, name), nil
	}
}

// stateFolderOn returns the folder according to the convention of a system: on Linux that of
// the XDG base directories, which ignores relative paths.
func stateFolderOn(system, home string, getenv func(string) string) string {
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
