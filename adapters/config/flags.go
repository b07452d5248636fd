package config

import "path/filepath"

// Flags are the flags of the program that choose a configuration and change its settings. A flag that was not
// given is empty.
type Flags struct {
	// Path is the file that --config names.
	Path              string
	LogLevel, LogFile string
	// Registry is the value of the flag --registry, "" without it.
	Registry string
	Strict   bool
	// IfTrusted says to use the file of Path only while the user trusts it, as one of the working directory.
	IfTrusted bool
	// AllowForeign accepts a named file that others can change.
	AllowForeign bool
	// Toolboxes are the names of the toolboxes to keep, nil for all.
	Toolboxes []string
}

// With returns the options, changed as the flags say. A relative path of a log file starts from the working
// directory of the options.
func (o Options) With(flags Flags) Options {
	o.Path, o.AllowForeign, o.Toolboxes = flags.Path, flags.AllowForeign, flags.Toolboxes
	if flags.IfTrusted && flags.Path != "" {
		o.Origin = FromWorkingDirectory
	}
	o.Flags = map[string]string{}
	if flags.LogLevel != "" {
		o.Flags["logLevel"] = flags.LogLevel
	}
	if path := flags.LogFile; path != "" {
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.WorkDir, path)
		}
		o.Flags["logFile"] = path
	}
	if flags.Registry != "" {
		o.Flags[registryKey] = flags.Registry
	}
	if flags.Strict {
		o.Flags["strict"] = "true"
	}
	return o
}
