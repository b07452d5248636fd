package config

import (
	"path/filepath"
	"time"
)

// Options says where the configuration may come from.
type Options struct {
	// Path is the file that the flag --config names, "" when it was not given.
	Path string
	// Origin says why Path is in use, for a file that was found before and is reloaded; NoFile if the
	// flag names it.
	Origin Origin
	// Flags are the settings of the root that were given as flags, by their key in
	// the file: "logLevel", "limits.connect".
	Flags map[string]string
	// Environ is the environment as os.Environ returns it.
	Environ []string
	// WorkDir is the directory that relative paths start from and in which
	// workbench-config.json is looked for.
	WorkDir string
	// UserConfigDir is the directory that os.UserConfigDir returns, "" if it returns an error.
	UserConfigDir string
	// Lenient accepts a configuration with problems, unless it is strict. Toolboxes and servers
	// with problems are left out then.
	Lenient bool
	// IdleTimeout is the default for how long a server can be unused before it is stopped, 0 for
	// no limit.
	IdleTimeout time.Duration
	// Trusts reports whether the user trusts a file with this text, and why not, if there is more to say. If
	// Trusts is nil, no file is trusted.
	Trusts func(path string, text []byte) (trusted bool, why string)
	// TrustsValues returns why the user does not trust values from files that decide something in a trusted file, ""
	// if they do. If it is nil, no such value is trusted.
	TrustsValues func(path string, values []FileValue) (why string)
	// Untrusted says how to treat a file of the working directory that is not trusted.
	Untrusted UntrustedFile
	// JoinsProject says that the toolboxes of the file in WorkDir join those of the user's own file, as hosts on pipes
	// get them (tests/acceptance/CONTRACT.md section 38). Otherwise the file in WorkDir is used in place of the user's.
	JoinsProject bool
	// AllowForeign accepts a named file that others can change.
	AllowForeign bool
	// Toolboxes are the names of the toolboxes to keep, nil for all.
	Toolboxes []string
	// ReadsPlugins reads plugins that are not trusted too, to know which skills they have.
	ReadsPlugins bool
	// Reviewed says that a user is asked to trust the file by itself: the files that it includes are not read, and
	// Configuration.Given is set.
	Reviewed bool
	// MakesLock says that a lock is about to be made, so that settings that depend on one are
	// accepted without it.
	MakesLock bool
}

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
