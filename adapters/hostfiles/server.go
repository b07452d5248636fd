package hostfiles

import "mcp-workbench/domain/serverconfig"

// These are what the files of hosts are about, in the words of the workbench.
type (
	Server   = serverconfig.Server
	Settings = serverconfig.Settings
	OAuth    = serverconfig.OAuth
	Secret   = serverconfig.Secret
	Scope    = serverconfig.Scope
)

// The scopes of files.
const (
	User    = serverconfig.User
	Project = serverconfig.Project
	Local   = serverconfig.Local
)

// Entry is the workbench as a server of a host.
type Entry struct {
	// Command is the absolute path of the program.
	Command string
	Args    []string
	// Variables are names that the program needs from the host's environment.
	Variables []string
	// Values are written out for a host that has no references.
	Values map[string]string
}
