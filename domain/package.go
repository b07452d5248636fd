package domain

import (
	"fmt"
	"slices"
)

// PackageKind is the kind of registry that a package comes from.
type PackageKind string

// The kinds.
const (
	// PackageNPM is a package of npm, which comes with a lock file of all it depends on.
	PackageNPM PackageKind = "npm"
	// PackagePyPI is a Python package. Only its own version is pinned.
	PackagePyPI PackageKind = "pypi"
)

// PackagePolicy says what becomes of servers that launchers such as npx fetch.
type PackagePolicy string

// The policies.
const (
	// PackagesOff starts every server as it is configured, whatever the lock says.
	PackagesOff PackagePolicy = "off"
	// PackagesPinned starts pinned servers at the versions of the lock, and others as they
	// are configured.
	PackagesPinned PackagePolicy = "pinned"
	// PackagesLocked starts only pinned ones of the servers that are fetched.
	PackagesLocked PackagePolicy = "locked"
)

// PackageRequest is what a server's launcher is told to fetch. Equal requests are met by
// the same packages.
type PackageRequest struct {
	Kind PackageKind
	// Name is that of the package, without a version: "@scope/name".
	Name string
	// Spec is the package as the configuration writes it, with the version or range that it
	// may have: "@scope/name@^1".
	Spec string
	// InstallScripts says that scripts of packages may run when they are installed.
	InstallScripts bool
}

// PackagePin is one version of a package that somebody approved.
type PackagePin struct {
	PackageRequest
	// Version is the exact version.
	Version string
	// LockDigest is the SHA-256 of npm's lock file in hexadecimal, "" for other kinds.
	LockDigest string
}

// Fits reports whether the pin is for what a server requests now.
func (p PackagePin) Fits(request PackageRequest) bool { return p.PackageRequest == request }

// Misfit says in which way the pin does not fit a request: it reads on after the name of
// a server.
func (p PackagePin) Misfit(request PackageRequest) string {
	switch {
	case p.Spec != request.Spec || p.InstallScripts == request.InstallScripts:
		return fmt.Sprintf("it is locked for %s, and the configuration says %s", p.Spec, request.Spec)
	case p.InstallScripts:
		return "it is locked with install scripts, which the configuration does not allow"
	}
	return "it is locked without install scripts, which the configuration allows"
}

// String returns the package with its version: "@scope/name@1.2.3".
func (p PackagePin) String() string { return p.Name + "@" + p.Version }

// ResolvedPackage is the package that meets a request at one moment.
type ResolvedPackage struct {
	// Version is the exact version.
	Version string
	// LockFile is npm's lock file of all packages that it depends on, nil for other kinds,
	// and Digest its SHA-256 in hexadecimal.
	LockFile []byte
	Digest   string
	// Scripted are those packages that have scripts for their installation.
	Scripted []string
}

// PackageChange is one package in which two lock files of npm differ.
type PackageChange struct {
	Name string
	// Before and After are the versions, "" where there is none.
	Before, After string
	// OtherBytes says that the versions are the same and what is in them is not: somebody
	// changed a release.
	OtherBytes bool
}

// PinnedPackage is the pinned package of one server.
type PinnedPackage struct {
	ID ServerID
	PackagePin
}

// Package returns the pin of a server's package, and whether there is one.
func (l Lock) Package(id ServerID) (PackagePin, bool) {
	i := slices.IndexFunc(l.Packages, func(p PinnedPackage) bool { return p.ID == id })
	if i < 0 {
		return PackagePin{}, false
	}
	return l.Packages[i].PackagePin, true
}
