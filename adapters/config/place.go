package config

import (
	"path/filepath"

	"mcp-workbench/ports"
)

// Place returns the file that is in use, or the one in the user's configuration
// directory, which is where a new one belongs. The path is "" when there is no such
// directory.
func Place(options Options) (path string, origin Origin) {
	location := find(options, newEnvironment(options.Environ), true)
	if location.path != "" {
		return location.path, location.origin
	}
	return UserPlace(options), FromUserConfigDirectory
}

// UserPlace returns where the configuration of a user belongs who names no other place.
func UserPlace(options Options) string {
	if options.UserConfigDir == "" {
		return ""
	}
	return filepath.Join(options.UserConfigDir, folderName, FileName)
}

// Check reads a text as the configuration of a path that need not exist. The failure of
// a configuration is an *InvalidError, with every problem in it.
func Check(options Options, path string, text []byte, transports map[string]ports.Transport) (*Configuration, error) {
	loader := newLoader(path, newEnvironment(options.Environ), options.Flags, transports)
	loader.parse(text)
	return loader.load(location{path: path})
}
