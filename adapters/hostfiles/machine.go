package hostfiles

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine describes a computer and its user, on which the paths of files depend.
type Machine struct {
	// Home is the user's home directory.
	Home string
	// Config is the folder where programs keep the user's settings: ~/.config,
	// ~/Library/Application Support, %AppData%.
	Config string
	// Project is the project's directory, "" for none.
	Project string
	// System is the operating system as Go names it: "linux", "darwin", "windows".
	System string
	// Getenv returns a variable of the environment, "" for none.
	Getenv func(string) string
}

// ThisMachine returns this machine, with the working directory as the project.
//
// Failures: those of finding the home and the working directory.
func ThisMachine() (Machine, error) {
	home, noHome := os.UserHomeDir()
	config, noConfig := os.UserConfigDir()
	project, noProject := os.Getwd()
	return Machine{Home: home, Config: config, Project: project, System: runtime.GOOS, Getenv: os.Getenv}, cmp.Or(noHome, noConfig, noProject)
}

// orHome returns the directory that a variable names, or one below the home directory.
func (m Machine) orHome(variable string, below ...string) string {
	if named := m.Getenv(variable); named != "" {
		return named
	}
	return m.home(below...)
}

// packagePaths returns a path in the application data of each package with such a name, none if there is no such package.
// Windows redirects what an app that was installed as a package (MSIX) keeps in %AppData% to there.
func (m Machine) packagePaths(pattern string, below ...string) []string {
	local := m.Getenv("LOCALAPPDATA")
	if !m.isWindows() || local == "" {
		return nil
	}
	folders, _ := filepath.Glob(filepath.Join(local, "Packages", pattern, "LocalCache", "Roaming", below[0])) // the pattern is valid
	for i, folder := range folders {
		folders[i] = filepath.Join(append([]string{folder}, below[1:]...)...)
	}
	return folders
}

// isSame reports whether two paths are the same in spelling: on Windows, the case and the kind of slash make no
// difference.
func (m Machine) isSame(a, b string) bool {
	if !m.isWindows() {
		return a == b
	}
	return strings.EqualFold(strings.ReplaceAll(a, "/", `\`), strings.ReplaceAll(b, "/", `\`))
}

// homeVariable is the variable with the home folder.
func (m Machine) homeVariable() string {
	if m.isWindows() {
		return "USERPROFILE"
	}
	return "HOME"
}

func (m Machine) isWindows() bool { return m.System == "windows" }

func (m Machine) home(below ...string) string {
	return filepath.Join(append([]string{m.Home}, below...)...)
}

func (m Machine) config(below ...string) string {
	return filepath.Join(append([]string{m.Config}, below...)...)
}

// project returns a path in the project, "" without one. The home directory is not a
// project.
func (m Machine) project(below ...string) string {
	if m.Project == "" || m.isSame(m.Project, m.Home) {
		return ""
	}
	return filepath.Join(append([]string{m.Project}, below...)...)
}

// ownFolders returns the working folder and the home folder, each once: a command for one folder is often run in the latter.
func (m Machine) ownFolders() []string {
	if project := m.project(); project != "" {
		return []string{project, m.Home}
	}
	return []string{m.Home}
}

// dotConfig returns a path below ~/.config, which some programs use on every system.
func (m Machine) dotConfig(below ...string) string {
	base := m.orHome("XDG_CONFIG_HOME", ".config")
	return filepath.Join(append([]string{base}, below...)...)
}
