package domain

import "slices"

// LockRequest says what to compare with the lock, and what to pin.
type LockRequest struct {
	// Packages pins packages that are not pinned, or pinned for another request. Other pinned
	// packages keep their version.
	Packages bool
	// Newest compares packages with the newest versions, and pins none.
	Newest bool
	// AsConfigured starts servers as they are configured. Pinned packages stay in the lock.
	AsConfigured bool
	// Servers are the servers to compare, all if it is empty. The others stay as they are
	// locked. Pinned packages of these servers get the newest version.
	Servers []ServerID
}

// LockComparison compares the tools of all servers with the lock.
type LockComparison struct {
	// Lock is the lock that the tools were compared with, nil when there is no usable one.
	Lock *Lock
	// Broken is why an existing lock cannot be used, nil otherwise.
	Broken error
	// Live are the current tools and their packages, in the order of the configuration. Servers
	// that could not be reached are as in the lock.
	Live Lock
	// Packages are the servers with something to report about their packages, in the order of
	// the configuration.
	Packages []PackageComparison
	// PackageLocks are npm's lock files for packages in Live that are not in the lock.
	PackageLocks map[ServerID][]byte
	// Differences are the tools that are not as they were locked: by server, those of
	// the configuration first, then by name.
	Differences []Difference
	// Instructions are the servers whose instructions are not as they were locked, in the order
	// of the configuration.
	Instructions []InstructionsDifference
	// Unreachable are the servers whose tools are not known.
	Unreachable []UnreachableServer
	// OnlyDescriptions are the servers that differ only in descriptions of tools, although the
	// lock contains them.
	OnlyDescriptions []ServerID
	// Varying are the tools whose defaults differ between two starts of their server, so that no lock with defaults fits.
	Varying []ToolIdentifier
	// NoDefaults are the servers whose defaults are not locked, by their configuration.
	NoDefaults []ServerID
	// Unguarded are the servers whose descriptions are not locked, by their configuration.
	Unguarded []ServerID
	// Revealing are the tools whose definitions contain a value that no message may show. A tool
	// without a name means the instructions of its server.
	Revealing []ToolIdentifier
}

// InstructionsDifference is a server whose instructions are not as they were locked.
type InstructionsDifference struct {
	ID ServerID
	// Locked are the instructions in the lock, nil when the server is not in it; Live are those
	// that the server sends. Both have the form of LockedServer.Instructions.
	Locked, Live []string
}

// UnreachableServer is a server that could not be reached, and why.
type UnreachableServer struct {
	ID      ServerID
	Failure error
}

// PackageComparison compares the package of one server with the lock.
type PackageComparison struct {
	ID ServerID
	// Locked is the pin in the lock, Live the pin in a new lock; nil for none.
	Locked, Live *PackagePin
	// Newest is the newest version that meets the request, "" when it was not requested.
	Newest string
	// Changes are the packages that were resolved differently from the lock.
	Changes []PackageChange
	// Scripted are the packages with installation scripts, if they were resolved.
	Scripted []string
	// Tried is set when pinning the package was requested and possible.
	Tried bool
	// Failure is why the package was not pinned, or does not get the newest version; nil
	// otherwise.
	Failure error
}

// Differs reports whether a new lock would pin another package.
func (c PackageComparison) Differs() bool {
	return c.Locked != nil && (c.Live == nil || *c.Live != *c.Locked)
}

// Tools counts the live tools.
func (c LockComparison) Tools() int {
	count := 0
	for _, server := range c.Live.Servers {
		count += len(server.Tools)
	}
	return count
}

// Fits reports whether tools, instructions and packages are as they were locked. Packages that are
// not locked fit.
func (c LockComparison) Fits() bool {
	return c.Lock != nil && len(c.Differences) == 0 && len(c.Instructions) == 0 && !slices.ContainsFunc(c.Packages, PackageComparison.Differs)
}

// IsOutdated reports whether there are newer packages than the locked ones: the server's own, or
// dependencies.
func (c PackageComparison) IsOutdated() bool {
	return c.Locked != nil && c.Newest != "" && (c.Newest != c.Locked.Version || len(c.Changes) > 0)
}
