package domain

import "errors"

// OpenedToolbox is the outcome of opening a toolbox.
type OpenedToolbox struct {
	Toolbox Toolbox
	// Servers holds one entry for each server of the toolbox, in its order.
	Servers []OpenedServer
	// Warnings are things worth knowing that are not about one server.
	Warnings []Warning
}

// Connected counts the servers that are up.
func (o OpenedToolbox) Connected() int {
	count := 0
	for _, server := range o.Servers {
		if server.Failure == nil && !server.Starting {
			count++
		}
	}
	return count
}

// HasFailed reports whether the toolbox cannot be used: no server is up or starting, and
// none waits for somebody to log in. One that does starts at the next use after the login.
func (o OpenedToolbox) HasFailed() bool {
	for _, server := range o.Servers {
		if server.Failure == nil || server.needsLogin() {
			return false
		}
	}
	return true
}

// LoginRequired returns the failure of a server that needs a login, nil for every other
// server.
func (o OpenedToolbox) LoginRequired(id ServerID) error {
	for _, server := range o.Servers {
		if server.ID == id && server.needsLogin() {
			return server.Failure
		}
	}
	return nil
}

func (s OpenedServer) needsLogin() bool { return errors.Is(s.Failure, ErrLoginRequired) }

// OpenedServer is a server of an opened toolbox: up with its tools, starting with those
// that it listed last, or down with the reason.
type OpenedServer struct {
	ID ServerID
	// Tools are the tools that exist for the host, filters applied.
	Tools []ToolInfo
	// Names are the exact names of all tools of the server, those that a filter or the lock
	// leaves out too, where somebody asked for them.
	Names []string
	// Registered are the names under which those tools are registered, by their exact
	// names; nil when none is.
	Registered map[string]string
	// OnlyRead are the exact names of those that only read and need no yes; nil for none.
	// AllOnlyRead is set when all tools of the server are in it.
	OnlyRead    map[string]bool
	AllOnlyRead bool
	// Instructions is the text that the server sent at its handshake, "" when it
	// sent none.
	Instructions string
	// Warnings are other things worth knowing about the server and its tools.
	Warnings []Warning
	// Failure says why the server is not up, nil when it is or is starting.
	Failure error
	// Starting says that the server is not up yet and that the tools are those that it
	// listed last, as the lock has them.
	Starting bool
}

// ClosedToolbox is the outcome of closing a toolbox.
type ClosedToolbox struct {
	Toolbox ToolboxName
	// Removed is how many tools are no longer registered.
	Removed int
}

// WarningKind is what a warning is about.
type WarningKind int

// The kinds of warnings. The comment says what Detail holds.
const (
	// ToolListedTwice is a name that the server listed more than once; the first counts.
	ToolListedTwice WarningKind = iota + 1
	// ToolWithoutName is an entry of the list without a usable name; Detail is its place, from 1.
	ToolWithoutName
	// ToolLeftOut is a tool that cannot be called; Detail says why.
	ToolLeftOut
	// ListRepeated is a list that came back to a page that it had shown; Detail is the cursor.
	ListRepeated
	// ListCut is a list that went past a limit; Detail names the limit.
	ListCut
	// ListBroken is a list that failed after its first page; Detail is the reason.
	ListBroken
	// ListNotRefreshed is a list that changed and could not be read again; Reason is
	// the reason.
	ListNotRefreshed
	// SuspiciousText is a definition of a tool that holds characters which hide or reorder
	// text, or, without a tool, such instructions; Detail names them.
	SuspiciousText
	// SuspiciousPrompt is the same of a prompt.
	SuspiciousPrompt
	// ServerRestarted is a server that was lost and started again, so that what it had
	// in memory is gone; Detail says why it was lost.
	ServerRestarted
	// DefinitionChanged is a tool that was shown with another definition before; Detail
	// names the members that differ.
	DefinitionChanged
	// ChangedSinceLocked is a tool that is not as it was locked; Detail names the members
	// that differ.
	ChangedSinceLocked
	// NotLocked is a tool that is not in the lock.
	NotLocked
	// LockedToolGone is a tool of the lock that the server does not list.
	LockedToolGone
	// ChangedToolBlocked is a tool that is left out since it is not as it was locked;
	// Detail names the members that differ.
	ChangedToolBlocked
	// UnknownToolBlocked is a tool that is left out since it is not in the lock.
	UnknownToolBlocked
	// UncheckedToolBlocked is a tool that is left out since the lock cannot be used;
	// Detail is the reason.
	UncheckedToolBlocked
	// InstructionsChanged are instructions that are not as they were locked.
	InstructionsChanged
	// InstructionsBlocked are instructions that are left out since they are not as they were
	// locked.
	InstructionsBlocked
	// LeftOutByOlderLock are members of tools, or instructions, that are left out since the lock
	// was written by a version that did not lock them.
	LeftOutByOlderLock
	// LeftOutUnpinned are descriptions, or instructions, that are left out since the
	// configuration keeps them out of the lock.
	LeftOutUnpinned
	// LockUnusable is a lock that cannot be used; Detail is the reason.
	LockUnusable
	// LockMissing is a policy without a lock.
	LockMissing
	// ConfigurationNotRead is a configuration that changed and has a problem, so that the one
	// before is in force; Detail is the problem.
	ConfigurationNotRead
	// SettingWithheld is a setting that protects less than before and takes effect at the
	// next start; Detail names it.
	SettingWithheld
	// LockMoreLater is a lock that got more since the start, which does not count yet.
	LockMoreLater
	// LockGone is a lock whose file was removed; what it held stays in force.
	LockGone
	// NameTaken is a tool that is not registered, since another one has its name; Detail
	// is the name.
	NameTaken
	// LeftOutToolMissing is a filter that leaves out a tool which the server does not list,
	// most often by a mistake in the name; Detail is the name.
	LeftOutToolMissing
	// PatternUnmatched is a pattern in the configuration that matches no tool.
	PatternUnmatched
	// PackageNotPinned is a server that was started as it is configured, and not at the
	// version of its package in the lock; Reason is a PackageError.
	PackageNotPinned
	// PromptNameTaken is a prompt that cannot be got, since another one has its name;
	// Detail is the name.
	PromptNameTaken
	// LazyWithoutLock is a toolbox whose servers are to be started lazily, for which there is no
	// lock in force.
	LazyWithoutLock
)

// Warning is something about a server that is worth knowing and that stops
// nothing.
type Warning struct {
	Kind WarningKind
	// Tool is the shown name of the tool, or of the prompt, "" when the warning is about the
	// server.
	Tool   string
	Detail string
	// Reason is why, of ListNotRefreshed, ServerRestarted and PackageNotPinned; nil otherwise.
	Reason error
	// Pattern is that of PatternUnmatched, nil otherwise.
	Pattern *UnmatchedPattern
}
