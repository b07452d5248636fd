package ports

import (
	"context"

	"mcp-workbench/domain"
)

// Packages fetches the packages that servers run from, as launchers such as npx do, but
// at versions that are known in advance. Safe for concurrent use, and with other
// processes.
//
// The texts of its failures are fit for a model: they can follow a colon, and contain
// no secret.
type Packages interface {
	// Request returns what the server's launcher is told to fetch, and whether it has a
	// launcher at all: a server with a program of its own or a URL has none. It does no
	// I/O.
	//
	// Failures: why the package of a launcher cannot be pinned.
	Request(server domain.Server) (request domain.PackageRequest, isLauncher bool, err error)
	// Resolve returns the newest version that meets the request now, with all that it
	// depends on. It asks the registry, and runs no script of a package.
	Resolve(ctx context.Context, server domain.Server, request domain.PackageRequest) (domain.ResolvedPackage, error)
	// Changes returns how the packages of two lock files differ, sorted by name.
	Changes(before, after []byte) []domain.PackageChange
	// IsInstalled reports whether Install has nothing to do. It asks no registry, and reports true
	// for packages that are not installed before they are started.
	IsInstalled(pin domain.PackagePin) bool
	// Install installs a package according to its lock file, once for all callers and
	// processes. Nothing is left of an installation that fails or that the context ends.
	Install(ctx context.Context, server domain.Server, pin domain.PackagePin, lockFile []byte) error
	// Pinned returns the server with the settings that start the pinned version of its
	// package, which is installed. Everything but program and arguments is unchanged, and so
	// are the arguments that the server itself gets.
	//
	// Failures: what is missing in the installed package.
	Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error)
}

// PackageLocks stores npm's lock files of pinned packages beside the lock. Safe for
// concurrent use.
type PackageLocks interface {
	// PackageLock returns the lock file of a server's pinned package. Its digest is that
	// of the pin.
	//
	// Failures: *domain.LockBrokenError.
	PackageLock(server domain.ServerID, pin domain.PackagePin) ([]byte, error)
	// SavePackageLock replaces the lock file of a server's package.
	//
	// Failures: storage errors, with the path.
	SavePackageLock(server domain.ServerID, lockFile []byte) error
	// RemovePackageLocks removes the lock files that belong to pins of the lock before, and to none of the lock.
	//
	// Failures: storage errors, with the path.
	RemovePackageLocks(before, lock domain.Lock) error
}
