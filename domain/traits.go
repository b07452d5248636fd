package domain

import "slices"

// Traits are the meaning of a server's settings for other packages than its transport, which alone
// reads the settings.
type Traits struct {
	// Program is the program that is started. Its command is "" for a server at an address.
	Program Program
	// Address is the URL or address of the server, "" for a program.
	Address string
	// Inherits names variables of the workbench that the program gets besides those that every
	// program gets. InheritsAll means all of them.
	Inherits    []string
	InheritsAll bool
	// InstallScripts allows installation scripts of packages.
	InstallScripts bool
	Login          LoginTraits
}

// Program is how a program is started.
type Program struct {
	Command string
	Args    []string
	Env     map[string]string
	// Cwd is the working directory, "" for that of the workbench.
	Cwd string
}

// LoginTraits are how to log in at a server.
type LoginTraits struct {
	// Off forbids logins.
	Off bool
	// Issuer is the only authorization server that is allowed, "" for any.
	Issuer string
	// AssertionFile is the file that the issuer is given, "" for none.
	AssertionFile string
}

// InheritsMoreThan reports whether a variable is inherited that the other does not inherit.
func (t Traits) InheritsMoreThan(other Traits) bool {
	if t.InheritsAll || other.InheritsAll {
		return !other.InheritsAll
	}
	return slices.ContainsFunc(t.Inherits, func(name string) bool { return !slices.Contains(other.Inherits, name) })
}

// IsLooserThan reports whether there are logins where there were none, or with another
// authorization server than the only one that was allowed.
func (l LoginTraits) IsLooserThan(other LoginTraits) bool {
	return !l.Off && (other.Off || other.Issuer != "" && l.Issuer != other.Issuer)
}
