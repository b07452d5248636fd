package config

import (
	"cmp"
	"io/fs"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// Configuration is a configuration that can be used.
type Configuration struct {
	// Path is the file in use, "" when none was found.
	Path string
	// Origin says why this file is in use.
	Origin Origin
	// Untrusted is the file of the working directory that is unused, or only looked at, since
	// the user does not trust it; nil for none.
	Untrusted *UntrustedError
	// File describes the file as it was read, nil if none was read.
	File fs.FileInfo
	// Searched are the places that were looked at, in order, when no file was found.
	Searched []string
	// Included are the paths of the files that the file includes, and of those that they include.
	Included []string
	// Plugins are those of the toolboxes in use.
	Plugins []UsedPlugin
	// OtherFiles are the files besides Path on which the configuration depends, by path, as they were read: those that it
	// includes, and those with values of variables. One that does not exist, or was not needed, is nil.
	OtherFiles map[string]fs.FileInfo
	// Own is the user's own file if the file includes it, "" if not.
	Own   string
	later string
	// distrusts are the included files and the plugins that the user does not trust.
	distrusts []*UntrustedError
	chosen    string // names the chosen toolboxes for people, "" for all of them
	// Root holds the settings at the root.
	Root
	// Catalog holds the toolboxes, in the order of the file.
	Catalog *Catalog
	// Problems are the problems of a configuration that was loaded leniently. The catalog lacks the toolboxes
	// and servers that have them. It lists the problems too, without the values found.
	Problems []tree.Problem
	// Secrets say where the values of variables are kept, in the order of the file.
	Secrets []domain.SecretPlace
	// EnvFile is the absolute path of the file of variables, "" for none.
	EnvFile string
	// Values are those from files that are a part of the trust in the file, also where the environment sets the
	// variable now. Those of included files are not among them.
	Values []FileValue
	// Variables are the names that enabled servers refer to without a default, each
	// once, in the order of the file.
	Variables []string
	// Reads are the names of all variables that the file refers to, sorted.
	Reads []string
	// Given are the keys of the file that decide something, in its order, each with its whole value, apart from objects that
	// are shown key by key. There are none of disabled toolboxes and servers, which mean nothing.
	Given []GivenKey
	// Unknown is the error for the first of Options.Toolboxes that does not exist, nil if all of them do.
	Unknown error
	// Warnings do not keep the configuration from being used. Those about the file come first, in its order.
	Warnings []tree.Problem
}

// FilesOfToolboxes returns the file that describes each toolbox.
func (c *Configuration) FilesOfToolboxes() map[domain.ToolboxName]string {
	files := map[domain.ToolboxName]string{}
	for _, toolbox := range c.Catalog.Toolboxes() {
		files[toolbox.Name] = cmp.Or(toolbox.File, c.Path)
	}
	return files
}

// Closed returns why plugins are not in use.
func (c *Configuration) Closed() []*UntrustedError {
	var closed []*UntrustedError
	for _, untrusted := range c.distrusts {
		if untrusted.Toolbox != "" {
			closed = append(closed, untrusted)
		}
	}
	return closed
}

// UntrustedIncludes returns the included files, and the manifests of plugins, that are left out until the user trusts them.
func (c *Configuration) UntrustedIncludes() []string {
	var files []string
	for _, untrusted := range c.distrusts {
		files = append(files, untrusted.Path)
	}
	return files
}

// Again returns the file to read when the configuration is reloaded, and why it is in use. It is the same
// file as before. If there was none, it is the one in the user's configuration directory, which may have been
// created since; path is "" if there is no such directory. A file that is created later in the working
// directory is never used.
func (c *Configuration) Again() (path string, origin Origin) {
	switch {
	case c.Path != "":
		return c.Path, c.Origin
	case c.later != "":
		return c.later, FromUserConfigDirectory
	}
	return "", NoFile
}
