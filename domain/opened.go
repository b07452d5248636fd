package domain

import (
	"errors"
	"slices"
)

// OpenedToolbox is the outcome of opening a toolbox.
type OpenedToolbox struct {
	Toolbox Toolbox
	// Servers has one entry for each server of the toolbox, in its order.
	Servers []OpenedServer
	// Warnings are the warnings that are not about a single server.
	Warnings []Warning
	// OnlyPages is set if only tools with a page are registered.
	OnlyPages bool
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

// HasFailed reports whether the toolbox cannot be used: no server is up, starting, or waiting for
// a login. After the login, a server starts at its next use.
func (o OpenedToolbox) HasFailed() bool {
	return !slices.ContainsFunc(o.Servers, func(s OpenedServer) bool { return s.Failure == nil || s.needsLogin() })
}

// NeedsLogin reports whether some server needs a login of the user.
func (o OpenedToolbox) NeedsLogin() bool {
	return slices.ContainsFunc(o.Servers, func(server OpenedServer) bool {
		required, needed := errors.AsType[*LoginRequiredError](server.Failure)
		return needed && !required.ByOperator
	})
}

func (s OpenedServer) needsLogin() bool { return errors.Is(s.Failure, ErrLoginRequired) }

// OpenedServer is a server of an opened toolbox. It is up and has its tools, or it is still starting
// and has the tools that it listed last, or it is down for a reason.
type OpenedServer struct {
	ID ServerID
	// Tools are the tools that exist for the host, filters applied.
	Tools []ToolInfo
	// Names are the exact names of all tools of the server, including those that a filter or the
	// lock leaves out, if they were requested.
	Names []string
	// Registered are the names under which the tools are registered, by their exact names; nil
	// when there are none.
	Registered map[string]string
	// OnlyRead are the exact names of the tools that only read and whose calls need no yes; nil for
	// none. AllOnlyRead is set when it contains all tools of the server.
	OnlyRead    map[string]bool
	AllOnlyRead bool
	// NeedYes are the exact names of the tools whose calls need a yes, if they were requested; nil
	// for none.
	NeedYes map[string]bool
	// Instructions is the text in the server's handshake, "" for none, and Title its title.
	Instructions, Title string
	// Warnings are the warnings about the server and its tools.
	Warnings []Warning
	// Failure is why the server is neither up nor starting, nil otherwise.
	Failure error
	// Starting is set when the server is not up yet and the tools are those that it listed last.
	Starting bool
	// AtUse is set as well when the server is not being started before its first use.
	AtUse bool
}

// ClosedToolbox is the outcome of closing a toolbox.
type ClosedToolbox struct {
	Toolbox ToolboxName
	// Removed is the number of tools that are no longer registered.
	Removed int
}

// WarningKind is the kind of a warning.
type WarningKind int

// The kinds of warnings, and their Detail.
const (
	// ToolListedTwice is a name that the server listed more than once; the first one is used.
	ToolListedTwice WarningKind = iota + 1
	// ToolWithoutName is an entry of the list without a usable name; Detail is its index, from 1.
	ToolWithoutName
	// ToolLeftOut is a tool that cannot be called; Detail is the reason.
	ToolLeftOut
	// ListMissing is an answer without a list; Detail is the member that is missing.
	ListMissing
	// ListRepeated is a list that returned to an earlier page; Detail is the cursor, "" for an empty one,
	// which may be the end of the list.
	ListRepeated
	// ListCut is a list above a limit; Detail is the limit.
	ListCut
	// ListBroken is a list that failed after its first page; Detail is the reason.
	ListBroken
	// ListNotRefreshed is a list that changed and could not be read again; Reason says
	// why.
	ListNotRefreshed
	// SuspiciousText is the definition of a tool or, without a tool, the server's instructions,
	// with characters that hide or reorder text; Detail names them.
	SuspiciousText
	// SuspiciousPrompt is the same for a prompt.
	SuspiciousPrompt
	// ServerRestarted is a server that was lost and restarted, without what it had in memory;
	// Reason is why it was lost.
	ServerRestarted
	// DefinitionChanged is a tool that was shown with another definition before; Detail
	// names the members that differ.
	DefinitionChanged
	// ChangedSinceLocked is a tool that is not as it was locked; Detail names the members
	// that differ.
	ChangedSinceLocked
	// NotLocked is a tool that is not in the lock.
	NotLocked
	// ServerNotLocked is a server that is not in the lock; its tools have warnings too.
	ServerNotLocked
	// LockedToolGone is a tool of the lock that the server does not list.
	LockedToolGone
	// ChangedToolBlocked is a tool that is left out since it is not as it was locked;
	// Detail names the members that differ.
	ChangedToolBlocked
	// UnknownToolBlocked is a tool that is left out since it is not in the lock.
	UnknownToolBlocked
	// UncheckedToolBlocked is a tool that is left out since the lock cannot be used; Detail is
	// the reason.
	UncheckedToolBlocked
	// InstructionsChanged are instructions that are not as they were locked.
	InstructionsChanged
	// InstructionsBlocked are instructions that are left out since they are not as they were
	// locked.
	InstructionsBlocked
	// LeftOutUnpinned are descriptions, or instructions, that are left out since the
	// configuration keeps them out of the lock.
	LeftOutUnpinned
	// LockUnusable is a lock that cannot be used; Detail is the reason.
	LockUnusable
	// LockMissing is a policy that needs a lock, without one.
	LockMissing
	// ConfigurationNotRead is a changed configuration with a problem, because of which the previous
	// one stays in force; Detail is the problem.
	ConfigurationNotRead
	// SettingWithheld is a weaker protection that takes effect at the next start; Detail names
	// the setting.
	SettingWithheld
	// LockMoreLater is a lock that was changed after the start to allow more, which has no effect yet.
	LockMoreLater
	// LockGone is a lock whose file was removed; its contents stay in force.
	LockGone
	// NameTaken is a tool that is not registered, since another one has its name; Detail is the
	// name.
	NameTaken
	// LoginElsewhere is a host that takes away the variable by which logins are found; Detail is its name.
	LoginElsewhere
	// LeftOutToolMissing is a filter that leaves out a tool that the server does not list, most
	// often by mistake; Detail is the name.
	LeftOutToolMissing
	// AdjustmentWrong is an adjustment of a tool that the server does not list, or that does not fit its
	// schema; Tool is the name, Detail the mistake.
	AdjustmentWrong
	// PatternUnmatched is a pattern in the configuration that matches no tool.
	PatternUnmatched
	// PackageNotPinned is a server that was started as configured, not at the locked version of
	// its package; Reason is a PackageError.
	PackageNotPinned
	// StartFailed is a server that was shown before it was up, and then could not be started; Reason is why.
	StartFailed
	// PromptNameTaken is a prompt that is not registered, since another one has its name; Detail
	// is the name.
	PromptNameTaken
)

// Warning is information about a server or toolbox that can still be used.
type Warning struct {
	Kind WarningKind
	// Tool is the shown name of the tool, or of the prompt, "" when the warning is about the
	// server.
	Tool   string
	Detail string
	// Reason is the cause of ListNotRefreshed, ServerRestarted, StartFailed and PackageNotPinned; nil for other
	// kinds.
	Reason error
	// Pattern is the pattern of PatternUnmatched, nil for other kinds.
	Pattern *UnmatchedPattern
}
