package hostfiles

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
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
	if m.Project == "" || m.Project == m.Home {
		return ""
	}
	return filepath.Join(append([]string{m.Project}, below...)...)
}

// dotConfig returns a path below ~/.config, which some programs use on every system.
func (m Machine) dotConfig(below ...string) string {
	base := m.orHome("XDG_CONFIG_HOME", ".config")
	return filepath.Join(append([]string{base}, below...)...)
}
