package domain

// LockRequest says what a lock is to be about.
type LockRequest struct {
	// Packages says that packages are pinned that are not, or are pinned for another
	// request. Those that are pinned keep their version.
	Packages bool
	// Newest says that packages are compared with the newest versions, and none is pinned.
	Newest bool
	// AsConfigured says that packages are off: servers start as they are configured, and
	// what is pinned stays in the lock.
	AsConfigured bool
	// Servers are the only ones to look at, if there are any. The others stay as they are
	// locked. Pinned packages of these take the newest version.
	Servers []ServerID
}

// LockComparison compares the tools of all servers with the lock.
type LockComparison struct {
	// Lock is the lock that the tools were compared with, nil when there is none that
	// can be used.
	Lock *Lock
	// Broken says why an existing lock cannot be used, otherwise nil.
	Broken error
	// Live is the tools as they are, in the order of the configuration, and the packages
	// that they are of. Of a server that could not be reached it has what was locked.
	Live Lock
	// Packages are the servers of whose packages there is something to say, in the order
	// of the configuration.
	Packages []PackageComparison
	// PackageLocks are npm's lock files of the packages in Live that the lock does not have.
	PackageLocks map[ServerID][]byte
	// Opened are the toolboxes as a host with all capabilities is shown them, without any
	// lock, in the order of the configuration; nil when only some servers were looked at.
	Opened []OpenedToolbox
	// Differences are the tools that are not as they were locked: by server, those of
	// the configuration first, then by name.
	Differences []Difference
	// Instructions are the servers whose instructions are not as they were locked, in the order
	// of the configuration.
	Instructions []InstructionsDifference
	// Older are the servers that were locked by a version that knew fewer members, so that the
	// lock holds less of them than it would if it was written again.
	Older []ServerID
	// Unreachable are the servers whose tools are not known.
	Unreachable []UnreachableServer
	// OnlyDescriptions are the servers of which nothing but descriptions of tools differs,
	// although the lock holds them.
	OnlyDescriptions []ServerID
	// Unguarded are the servers whose descriptions the lock does not hold, as the
	// configuration wants it.
	Unguarded []ServerID
	// Revealing are the tools whose definitions hold a value that no message may show; where it
	// is in the instructions of a server, the tool has no name.
	Revealing []ToolIdentifier
}

// InstructionsDifference is a server whose instructions are not as they were locked.
type InstructionsDifference struct {
	ID ServerID
	// Locked are those in the lock, nil when the server is not in it; Live are those that it
	// sends. Both are as in LockedServer.
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
	// Locked is the pin in the lock, Live the one that the lock would have if it was
	// written again; nil for none.
	Locked, Live *PackagePin
	// Newest is the newest version that meets the request, "" when it was not asked for.
	Newest string
	// Changes are the packages in which what was resolved differs from what is locked.
	Changes []PackageChange
	// Scripted are the packages with scripts for their installation, if it was resolved.
	Scripted []string
	// Tried says that the package could be pinned, and was to be.
	Tried bool
	// Failure says why the package is not pinned, or does not take the newest version;
	// otherwise nil.
	Failure error
}

// Differs reports whether the lock would have something else than it has.
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

// Fits reports whether tools, instructions and packages are as they are locked. A package that
// is not locked fits, and so does what an older lock does not hold.
func (c LockComparison) Fits() bool {
	for _, compared := range c.Packages {
		if compared.Differs() {
			return false
		}
	}
	return c.Lock != nil && len(c.Differences) == 0 && len(c.Instructions) == 0
}

// IsOutdated reports whether newer packages are known than those that are locked: the
// server's own, or some that it depends on.
func (c PackageComparison) IsOutdated() bool {
	return c.Locked != nil && c.Newest != "" && (c.Newest != c.Locked.Version || len(c.Changes) > 0)
}
