package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Origin says why a file is the one in use.
type Origin int

// The origins.
const (
	// NoFile: none was found.
	NoFile Origin = iota
	// FromFlag: the flag --config names the file.
	FromFlag
	// FromVariable: the environment variable WORKBENCH_CONFIG names the file.
	FromVariable
	// FromWorkingDirectory: the file is in the working directory, which the user may
	// not have chosen.
	FromWorkingDirectory
	// FromUserConfigDirectory: the file is in the user's configuration directory.
	FromUserConfigDirectory
	// FromArgument: an argument of the command names the file.
	FromArgument
)

// String returns the text that follows the path of the file in a message: "given by
// --config".
func (o Origin) String() string {
	return [...]string{
		"no file found", "given by --config", "given by " + pathVariable,
		"found in the working directory", "found in the user configuration directory",
		"given as an argument",
	}[o]
}

// IsNamed reports whether the user named the file, which is then used wherever it is.
func (o Origin) IsNamed() bool { return o == FromFlag || o == FromVariable || o == FromArgument }

// FileName is the name of a configuration file that is found rather than named.
const FileName = "workbench-config.json"

const (
	pathVariable = "WORKBENCH_CONFIG"
	folderName   = "mcp-workbench"
)

// InUse returns the path of the file that is in use, "" for none.
func InUse(options Options) string {
	return find(options, newEnvironment(options.Environ), true).path
}

// Place returns the file that a command changes: the one that is in use without Options.JoinsProject, or the one in the
// user's configuration directory, which is where a new one belongs. The path is "" when there is no such directory.
func Place(options Options) (path string, origin Origin) {
	options.JoinsProject = false
	if found := find(options, newEnvironment(options.Environ), true); found.path != "" {
		return found.path, found.origin
	}
	return UserPlace(options), FromUserConfigDirectory
}

// UserPlace returns where the configuration belongs unless a user names another place.
func UserPlace(options Options) string {
	if options.UserConfigDir == "" {
		return ""
	}
	return filepath.Join(options.UserConfigDir, folderName, FileName)
}

// find returns the first of the four places that applies. A file that a flag or a
// variable names is in use whether it exists or not. withWorkDir says whether the working
// directory is one of the places, and a named file that needs the same trust.
func find(options Options, environment *environment, withWorkDir bool) source {
	if options.Path != "" && (withWorkDir || options.Origin != FromWorkingDirectory) {
		return source{path: resolve(options.WorkDir, options.Path), origin: cmp.Or(options.Origin, FromFlag)}
	}
	if path, ok := environment.setting(pathVariable); ok {
		return source{path: resolve(options.WorkDir, path), origin: FromVariable}
	}
	var places []source
	users := UserPlace(options)
	withWorkDir = withWorkDir && (!options.JoinsProject || !exists(users)) // the file of the project joins that of the user
	// In the user's configuration directory itself the two places are one.
	if here := filepath.Join(options.WorkDir, FileName); withWorkDir && here != users {
		places = append(places, source{path: here, origin: FromWorkingDirectory})
	}
	if users != "" {
		places = append(places, source{path: users, origin: FromUserConfigDirectory})
	}
	none := source{later: users}
	for _, place := range places {
		if exists(place.path) {
			return place
		}
		none.searched = append(none.searched, place.path)
	}
	return none
}

// exists reports whether there is a file at a path, also one that cannot be read.
func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && !errors.Is(err, fs.ErrNotExist)
}

// resolve returns the absolute path, so that messages about it are clear.
func resolve(workDir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(workDir, path)
}
