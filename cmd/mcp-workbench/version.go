package main

import (
	"runtime/debug"
)

// version returns the version of the module that the program was built from, otherwise
// "devel" with the revision, if it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, modified := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = "-" + setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = "+dirty"
		}
	}
	return "devel" + revision + modified
}
