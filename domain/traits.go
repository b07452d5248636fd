package domain

import "slices"

// Traits are what packages other than a server's transport know about its settings, which only the
// transport reads.
type Traits struct {
	// Program is the program that is started. Its command is "" for a server at an address.
	Program Program
	// Address is the URL or address of the server, "" for a program.
	Address string
	// Inherits names the variables of the workbench that the program gets besides the usual ones, which are no
	// secrets. InheritsAll is set if it gets all of them, InheritsLeast if it gets only those that every program needs.
	Inherits                   []string
	InheritsAll, InheritsLeast bool
	// InstallScripts allows installation scripts of packages.
	InstallScripts bool
	// KeyFile is the file with the key of the certificate that the server is shown, "" for none.
	KeyFile string
	Login   LoginTraits
}

// Program says how to start a program.
type Program struct {
	Command string
	Args    []string
	Env     map[string]string
	// Cwd is the working directory, "" for that of the workbench.
	Cwd string
}

// LoginTraits say how to log in at a server.
type LoginTraits struct {
	// Off forbids logins.
	Off bool
	// Issuer is the only authorization server that is allowed, "" for any.
	Issuer string
	// AssertionFile is the file with the assertion that is sent to the issuer, "" for none.
	AssertionFile string
}

// InheritsMoreThan reports whether the program inherits a variable that it does not inherit with the
// other traits.
func (t Traits) InheritsMoreThan(other Traits) bool {
	if t.InheritsAll || other.InheritsAll {
		return !other.InheritsAll
	}
	if t.InheritsLeast || other.InheritsLeast {
		return !t.InheritsLeast
	}
	return slices.ContainsFunc(t.Inherits, func(name string) bool { return !slices.Contains(other.Inherits, name) })
}

// IsLooserThan reports whether these traits allow logins that the others do not allow: any login at
// all, or one at an authorization server other than the issuer.
func (l LoginTraits) IsLooserThan(other LoginTraits) bool {
	return !l.Off && (other.Off || other.Issuer != "" && !SameIssuer(l.Issuer, other.Issuer))
}
