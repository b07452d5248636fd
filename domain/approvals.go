package domain

import (
	"fmt"
	"slices"
)

// Destructive is the word in a list of tools to confirm that sets ConfirmDestructive. It also
// matches a tool with that name.
const Destructive = "destructive"

// Approvals say which tools of a server need the user's confirmation before a call, and which tools
// only read, as configured at all levels (tests/acceptance/CONTRACT.md section 14).
type Approvals struct {
	// Confirm matches the tools whose calls need a yes.
	Confirm ToolPatterns
	// ConfirmDestructive is set if calls of a tool need a yes unless its locked definition declares
	// it read-only or not destructive.
	ConfirmDestructive bool
	// ReadOnly matches the tools that only read.
	ReadOnly ToolPatterns
	// TrustAnnotations is set if a tool also counts as read-only when its locked definition says so.
	TrustAnnotations bool
}

// Equal reports whether both are configured alike.
func (a Approvals) Equal(other Approvals) bool {
	return slices.Equal(a.Confirm, other.Confirm) && a.ConfirmDestructive == other.ConfirmDestructive &&
		slices.Equal(a.ReadOnly, other.ReadOnly) && a.TrustAnnotations == other.TrustAnnotations
}

// AlsoAsking returns the approvals with every confirmation that the other ones ask for added.
func (a Approvals) AlsoAsking(other Approvals) Approvals {
	a.ConfirmDestructive = a.ConfirmDestructive || other.ConfirmDestructive
	a.Confirm = slices.Clone(a.Confirm)
	for _, pattern := range other.Confirm {
		if !slices.Contains(a.Confirm, pattern) {
			a.Confirm = append(a.Confirm, pattern)
		}
	}
	return a
}

// ReadingWithin returns the approvals with only those read-only tools of the server that are also
// read-only by the other approvals. Where patterns overlap it may exclude more tools.
func (a Approvals) ReadingWithin(other Approvals, server ServerID) Approvals {
	a.TrustAnnotations = a.TrustAnnotations && other.TrustAnnotations
	a.ReadOnly = slices.DeleteFunc(slices.Clone(a.ReadOnly), func(pattern ToolPattern) bool {
		return !ToolPatterns{pattern}.within(other.ReadOnly, server)
	})
	return a
}

// AtServer returns the approvals with their patterns as they are for the tools of a server, so that those of a server that moves
// can be compared.
func (a Approvals) AtServer(server ServerID) Approvals {
	a.Confirm, a.ReadOnly = a.Confirm.forServer(server, false), a.ReadOnly.forServer(server, false)
	return a
}

// NameReadOnly reports whether any tool of the server can be read-only.
func (a Approvals) NameReadOnly() bool { return len(a.ReadOnly) > 0 || a.TrustAnnotations }

// AskBeforeCalls reports whether any call of a tool of the server can need a yes.
func (a Approvals) AskBeforeCalls() bool { return len(a.Confirm) > 0 || a.ConfirmDestructive }

// AsksLessThan reports whether the calls of some tool of the server need a yes by the other approvals,
// but not by these. It may also be true for equivalent patterns that are written differently.
func (a Approvals) AsksLessThan(other Approvals, server ServerID) bool {
	return other.ConfirmDestructive && !a.ConfirmDestructive ||
		slices.ContainsFunc(other.Confirm, func(pattern ToolPattern) bool {
			return !ToolPatterns{pattern}.within(a.Confirm, server) || !a.Confirm.MayName(server, pattern.Text)
		})
}

// AsksLessThanForSome reports whether AsksLessThan can be true for some server, configured or not. Both
// approvals are those of the root.
func (a Approvals) AsksLessThanForSome(other Approvals) bool {
	return other.ConfirmDestructive && !a.ConfirmDestructive ||
		slices.ContainsFunc(other.Confirm, func(pattern ToolPattern) bool {
			return !slices.ContainsFunc(a.Confirm, func(p ToolPattern) bool { return p.covers(pattern) })
		})
}

// ReadsMoreThan reports whether some tool of the server is read-only by these approvals, but not by the
// other ones. It may also be true for equivalent patterns that are written differently.
func (a Approvals) ReadsMoreThan(other Approvals, server ServerID) bool {
	return a.TrustAnnotations && !other.TrustAnnotations || !a.ReadOnly.within(other.ReadOnly, server)
}

// NeedsYes reports whether a pattern of the configuration requires a yes for calls of the tool. It
// compares the exact name and the shown name, ignoring differences in case, forms of characters and
// invisible characters. It ignores ConfirmDestructive, which needs the lock.
func (s Server) NeedsYes(tool ToolInfo) bool {
	confirm := s.Approvals.Confirm
	return confirm.mayName(s.ID, tool.Name) || confirm.MayName(s.ID, tool.Shown)
}

// OnlyReads reports whether a pattern of the configuration declares the tool read-only. It ignores
// TrustAnnotations, which needs the lock.
func (s Server) OnlyReads(tool ToolInfo) bool { return s.Approvals.ReadOnly.Name(s.ID, tool.Name) }

// NotReadOnlyError is the failure of a call that is only for read-only tools. It matches ErrNotReadOnly.
type NotReadOnlyError struct {
	Tool ToolIdentifier
	// NeedsYes is set when each call of the tool needs a yes.
	NeedsYes bool
}

func (e *NotReadOnlyError) Error() string {
	return fmt.Sprintf("tool %q of server %q of toolbox %q cannot be called as read-only", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrNotReadOnly.
func (e *NotReadOnlyError) Is(target error) bool { return target == ErrNotReadOnly }

// Hints are what the annotations of a definition say about its tool.
type Hints struct {
	// ReadOnly is set when "readOnlyHint" is true.
	ReadOnly bool
	// NotDestructive is set when "destructiveHint" is false.
	NotDestructive bool
}
