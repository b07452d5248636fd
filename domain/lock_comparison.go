package domain

// LockComparison compares the tools of all servers with the lock.
type LockComparison struct {
	// Lock is the lock that the tools were compared with, nil when there is none that
	// can be used.
	Lock *Lock
	// Broken says why an existing lock cannot be used, otherwise nil.
	Broken error
	// Live is the tools as they are, in the order of the configuration. Of a server
	// that could not be reached it has what was locked.
	Live Lock
	// Opened are the toolboxes as a host with all capabilities is shown them, without any
	// lock, in the order of the configuration.
	Opened []OpenedToolbox
	// Differences are the tools that are not as they were locked: by server, those of
	// the configuration first, then by name.
	Differences []Difference
	// Unreachable are the servers whose tools are not known.
	Unreachable []UnreachableServer
	// OnlyDescriptions are the servers of which nothing but descriptions of tools differs,
	// although the lock holds them.
	OnlyDescriptions []ServerID
	// Unguarded are the servers whose descriptions the lock does not hold, as the
	// configuration wants it.
	Unguarded []ServerID
	// Revealing are the tools whose definitions hold a value that no message may show.
	Revealing []ToolIdentifier
}

// UnreachableServer is a server that could not be reached, and why.
type UnreachableServer struct {
	ID      ServerID
	Failure error
}

// Tools counts the live tools.
func (c LockComparison) Tools() int {
	count := 0
	for _, server := range c.Live.Servers {
		count += len(server.Tools)
	}
	return count
}
