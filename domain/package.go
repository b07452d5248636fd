package domain

import (
	"fmt"
	"slices"
)

// PackageKind is the kind of registry of a package.
type PackageKind string

// The kinds.
const (
	// PackageNPM is a package of npm, with a lock file of all its dependencies.
	PackageNPM PackageKind = "npm"
	// PackagePyPI is a Python package. Only its own version is pinned.
	PackagePyPI PackageKind = "pypi"
)

// PackagePolicy says how to start servers that a launcher such as npx fetches.
type PackagePolicy string

// The policies.
const (
	// PackagesOff starts every server as it is configured, without regard to the lock.
	PackagesOff PackagePolicy = "off"
	// PackagesPinned starts pinned servers at the versions of the lock, and others as they
	// are configured.
	PackagesPinned PackagePolicy = "pinned"
	// PackagesLocked starts fetched servers only if they are pinned.
	PackagesLocked PackagePolicy = "locked"
)

// Strictness is higher for the stricter policy.
func (p PackagePolicy) Strictness() int {
	return slices.Index([]PackagePolicy{PackagesOff, PackagesPinned, PackagesLocked}, p)
}

// PackageRequest is the package that a server's launcher fetches. Equal requests are met by the same
// packages.
type PackageRequest struct {
	Kind PackageKind
	// Name is the name of the package without a version: "@scope/name".
	Name string
	// Spec is the package as configured, with its version or range, if any: "@scope/name@^1".
	Spec string
	// InstallScripts allows installation scripts of packages.
	InstallScripts bool
}

// PackagePin is an approved version of a package.
type PackagePin struct {
	PackageRequest
	// Version is the exact version.
	Version string
	// LockDigest is the SHA-256 of npm's lock file in hexadecimal, "" for other kinds.
	LockDigest string
}

// Fits reports whether the pin is for the current request of a server.
func (p PackagePin) Fits(request PackageRequest) bool { return p.PackageRequest == request }

// Misfit returns how the pin differs from a request, as a clause about the server.
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
	// LockFile is npm's lock file of all dependencies, nil for other kinds, and Digest its SHA-256
	// in hexadecimal.
	LockFile []byte
	Digest   string
	// Scripted are the packages with installation scripts.
	Scripted []string
}

// PackageVersions are versions of the package that a server's launcher fetches.
type PackageVersions struct {
	Kind PackageKind
	Name string
	// Starts is the version that the next start runs, "" if it is not known, and Why a clause about its reason, "" for none.
	Starts, Why string
	// Newest is the newest release that the package registry of the user has, "" if it is not known.
	Newest string
}

// PackageChange is one package in which two lock files of npm differ.
type PackageChange struct {
	Name string
	// Before and After are the versions, "" where there is none.
	Before, After string
	// OtherBytes is set when the contents of the same version differ: a release was changed.
	OtherBytes bool
}

// PinnedPackage is the pinned package of one server.
type PinnedPackage struct {
	ID ServerID
	PackagePin
}

// Package returns the pin of a server's package, and reports whether there is one.
func (l Lock) Package(id ServerID) (PackagePin, bool) {
	i := slices.IndexFunc(l.Packages, func(p PinnedPackage) bool { return p.ID == id })
	if i < 0 {
		return PackagePin{}, false
	}
	return l.Packages[i].PackagePin, true
}
