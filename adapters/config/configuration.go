package config

import (
	"io/fs"
	"time"
)

// Options says where the configuration may come from.
type Options struct {
	// Path is the file that the flag --config names, "" when it was not given.
	Path string
	// Origin says why Path is in use when it is not the flag that names it: a file that was
	// found before is read again.
	Origin Origin
	// Flags are the settings of the root that were given as flags, by their key in
	// the file: "logLevel", "limits.connect".
	Flags map[string]string
	// Environ is the environment as os.Environ returns it.
	Environ []string
	// WorkDir is the directory that relative paths start from and in which
	// workbench-config.json is looked for.
	WorkDir string
	// UserConfigDir is the directory that os.UserConfigDir returns, "" when there
	// is none.
	UserConfigDir string
	// Lenient lets a configuration with problems be used, unless it is set to be
	// strict. What the problems concern does not exist then.
	Lenient bool
	// IdleTimeout is how long a server may be unused where the configuration does not say
	// it, 0 for as long as it likes.
	IdleTimeout time.Duration
	// Trusts reports whether the user trusts these bytes as the file of the working directory, and
	// why not, if there is more to say. If it is nil, no file is trusted.
	Trusts func(path string, text []byte) (trusted bool, why string)
	// Untrusted says how to treat a file of the working directory that is not trusted.
	Untrusted UntrustedFile
	// AllowForeign lets a file be used that others can change, if it was named.
	AllowForeign bool
	// MakesLock says that a lock is about to be made, so that what goes by one needs none
	// yet.
	MakesLock bool
}

// Configuration is a configuration that can be used.
type Configuration struct {
	// Path is the file in use, "" when none was found.
	Path string
	// Origin says why this file is in use.
	Origin Origin
	// Untrusted is the file of the working directory that is unused, or only looked at, since
	// the user does not trust it; nil for none.
	Untrusted *UntrustedError
	// File is the file as it was read, nil when none was.
	File fs.FileInfo
	// Searched are the places that were looked at, in order, when no file was found.
	Searched []string
	later    string
	// Root holds the settings at the root.
	Root
	// Catalog holds the toolboxes, in the order of the file.
	Catalog *Catalog
	// Problems are what is wrong, if the configuration was loaded leniently. What they
	// concern is not in the catalog, which has them too, without what was found.
	Problems []Problem
	// Variables are the names that enabled servers refer to without a default, each
	// once, in the order of the file.
	Variables []string
	// Reads are the names of all variables that the file refers to, sorted.
	Reads []string
	// Warnings are worth knowing and stop nothing, those of the file first, in its
	// order.
	Warnings []Problem
}

// Again returns which file is read when the configuration is read again, and why: the same
// one. A program that started without any takes one that comes to be in the user's
// configuration directory; path is "" when there is none. It never takes one that comes
// to be in the working directory.
func (c *Configuration) Again() (path string, origin Origin) {
	switch {
	case c.Path != "":
		return c.Path, c.Origin
	case c.later != "":
		return c.later, FromUserConfigDirectory
	}
	return "", NoFile
}
