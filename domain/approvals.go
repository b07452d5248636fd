package domain

import (
	"fmt"
	"slices"
)

// Destructive is the word in a list of tools to confirm that sets ConfirmDestructive. It
// means a tool of that name as well.
const Destructive = "destructive"

// Approvals say for which tools of a server the person is asked before a call, and which
// ones only read, as configured at all levels (tests/acceptance/CONTRACT.md section 14).
type Approvals struct {
	// Confirm names the tools of which each call needs a yes.
	Confirm ToolPatterns
	// ConfirmDestructive says that a tool needs a yes unless its locked definition calls
	// it read-only or not destructive.
	ConfirmDestructive bool
	// ReadOnly names the tools that only read.
	ReadOnly ToolPatterns
	// TrustAnnotations says that a tool only reads when its locked definition says so.
	TrustAnnotations bool
}

// Equal reports whether the same is configured.
func (a Approvals) Equal(other Approvals) bool {
	return slices.Equal(a.Confirm, other.Confirm) && a.ConfirmDestructive == other.ConfirmDestructive &&
		slices.Equal(a.ReadOnly, other.ReadOnly) && a.TrustAnnotations == other.TrustAnnotations
}

// AlsoAsking returns approvals that ask for every yes for which the other ones ask, too.
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

// ReadingWithin returns approvals by which a tool of the server only reads if it does by the
// other ones, too. Where patterns overlap it may be fewer tools.
func (a Approvals) ReadingWithin(other Approvals, server ServerID) Approvals {
	a.TrustAnnotations = a.TrustAnnotations && other.TrustAnnotations
	a.ReadOnly = slices.DeleteFunc(slices.Clone(a.ReadOnly), func(pattern ToolPattern) bool {
		return !ToolPatterns{pattern}.within(other.ReadOnly, server)
	})
	return a
}

// NameReadOnly reports whether a tool of the server may be one that only reads.
func (a Approvals) NameReadOnly() bool { return len(a.ReadOnly) > 0 || a.TrustAnnotations }

// AskBeforeCalls reports whether a call of a tool of the server may need a yes.
func (a Approvals) AskBeforeCalls() bool { return len(a.Confirm) > 0 || a.ConfirmDestructive }

// AsksLessThan reports whether a tool of the server may be called without a yes that
// needs one by the other approvals. When patterns are merely written in another way it may be
// true as well.
func (a Approvals) AsksLessThan(other Approvals, server ServerID) bool {
	return other.ConfirmDestructive && !a.ConfirmDestructive ||
		slices.ContainsFunc(other.Confirm, func(pattern ToolPattern) bool {
			return !ToolPatterns{pattern}.within(a.Confirm, server) || !a.Confirm.MayName(server, pattern.Text)
		})
}

// AsksLessThanForSome is AsksLessThan for any server, one that is not configured yet too, by
// approvals of the root.
func (a Approvals) AsksLessThanForSome(other Approvals) bool {
	return other.ConfirmDestructive && !a.ConfirmDestructive ||
		slices.ContainsFunc(other.Confirm, func(pattern ToolPattern) bool {
			return !slices.ContainsFunc(a.Confirm, func(one ToolPattern) bool { return one.covers(pattern) })
		})
}

// ReadsMoreThan reports whether a tool of the server counts as one that only reads, and
// does not by the other approvals. When patterns are merely written in another way it may be
// true as well.
func (a Approvals) ReadsMoreThan(other Approvals, server ServerID) bool {
	return a.TrustAnnotations && !other.TrustAnnotations || !a.ReadOnly.within(other.ReadOnly, server)
}

// NeedsYes reports whether the configuration names the tool as one that needs a yes, by
// the name that the server gave it, by the one that is shown, or by a name that reads the same
// but for case, forms of characters and characters that are not seen. It says nothing about
// ConfirmDestructive, which needs the lock.
func (s Server) NeedsYes(tool ToolInfo) bool {
	confirm := s.Approvals.Confirm
	return confirm.mayName(s.ID, tool.Name) || confirm.MayName(s.ID, tool.Shown)
}

// OnlyReads reports whether the configuration names the tool as one that only reads. It
// says nothing about TrustAnnotations, which needs the lock.
func (s Server) OnlyReads(tool ToolInfo) bool { return s.Approvals.ReadOnly.Name(s.ID, tool.Name) }

// NotReadOnlyError says which tool was not called, since the call was for tools that only
// read.
type NotReadOnlyError struct {
	Tool ToolIdentifier
	// NeedsYes is set when each call of the tool needs a yes.
	NeedsYes bool
}

func (e *NotReadOnlyError) Error() string {
	return fmt.Sprintf("tool %q of server %q of toolbox %q is not called as one that only reads", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrNotReadOnly.
func (e *NotReadOnlyError) Is(target error) bool { return target == ErrNotReadOnly }

// Hints are what a definition says about its tool in its annotations.
type Hints struct {
	// ReadOnly is set when "readOnlyHint" is true.
	ReadOnly bool
	// NotDestructive is set when "destructiveHint" is false.
	NotDestructive bool
}
