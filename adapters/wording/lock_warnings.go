package wording

import (
	"fmt"

	"mcp-workbench/domain"
)

// A model cannot approve tools, so these texts tell it what to ask its user for.
const (
	reviewTools = "Ask the user to look at the differences with `mcp-workbench lock --check` and, if they are right, " +
		"to accept them with `mcp-workbench lock --update` in a terminal; then open the toolbox again."
	restoreLock = "Ask the user to restore the file, or to write it again with `mcp-workbench lock --update` in a terminal; " +
		"then open the toolbox again."
)

// pinWarningText returns the text of a warning about a tool that differs from the lock.
func pinWarningText(warning domain.Warning) string {
	switch warning.Kind {
	case domain.ChangedSinceLocked:
		return fmt.Sprintf("tool %s is not as it was locked in %s: its definition changed (%s)",
			domain.QuotedName(warning.Tool), domain.LockName, warning.Detail)
	case domain.NotLocked:
		return fmt.Sprintf("tool %s is not in %s", domain.QuotedName(warning.Tool), domain.LockName)
	case domain.LockedToolGone:
		return fmt.Sprintf("tool %s is in %s, but the server does not list it", domain.QuotedName(warning.Tool), domain.LockName)
	case domain.ChangedToolBlocked, domain.UnknownToolBlocked, domain.UncheckedToolBlocked:
		return fmt.Sprintf("tool %s is blocked, since %s", domain.QuotedName(warning.Tool), blockedReason(warning.Kind, warning.Detail))
	case domain.InstructionsChanged:
		return fmt.Sprintf("its instructions are not as they were locked in %s", domain.LockName)
	case domain.InstructionsBlocked:
		return fmt.Sprintf("its instructions are left out, since they are not as they were locked in %s", domain.LockName)
	case domain.LeftOutUnpinned:
		return fmt.Sprintf("descriptions of its tools and its instructions are left out, since %s does not contain them (\"pinned\": \"schema\")", domain.LockName)
	case domain.PackageNotPinned:
		return "it was started as it is configured, and not at the version of its package that was locked: " + unavailableReason(warning.Reason)
	}
	return unknownWarning(warning.Kind)
}

// maxAlike is the maximum number of tools that get a line each if they differ from the lock in the same way.
const maxAlike = 3

// alike has texts about several tools that differ in the same way. They follow the number of the tools.
var alike = map[domain.WarningKind]string{
	domain.ChangedSinceLocked: "tools are not as they were locked in " + domain.LockName,
	domain.NotLocked:          "tools are not in " + domain.LockName,
	domain.LockedToolGone:     "tools are in " + domain.LockName + ", but the server does not list them",
	domain.ChangedToolBlocked: "tools are blocked, since they are not as they were locked in " + domain.LockName,
	domain.UnknownToolBlocked: "tools are blocked, since they are not in " + domain.LockName,
	domain.ToolListedTwice:    "tools are listed more than once; the first definitions count",
	domain.DefinitionChanged:  "tools are not as they were shown before: the server changed their definitions",
}

func canBeJoined(kind domain.WarningKind) bool { return alike[kind] != "" }

// joinedText returns one text for several warnings of a kind that can be joined.
func joinedText(warnings []domain.Warning) string {
	names := domain.FirstNames(warnings, maxNames, func(warning domain.Warning) string {
		name := domain.QuotedName(warning.Tool)
		if warning.Detail != "" {
			name += " (" + warning.Detail + ")"
		}
		return name
	})
	return fmt.Sprintf("%d %s: %s", len(warnings), alike[warnings[0].Kind], names)
}

// isOfUnlockedServer reports whether a warning says nothing new about a server that is not in the lock.
func isOfUnlockedServer(kind domain.WarningKind) bool {
	return kind == domain.NotLocked || kind == domain.UnknownToolBlocked || kind == domain.InstructionsChanged
}

// serverNotLocked says that a server is not in the lock. The text follows the name of the server.
func serverNotLocked(id domain.ServerID, shown, blocked int, hasNoLock bool) string {
	update := fmt.Sprintf("; to review and add it, the user can run `mcp-workbench lock --update %s` in a terminal", domain.ShellWord(id.Path()))
	switch {
	case blocked > 0 && hasNoLock:
		return fmt.Sprintf(": no tool of it can be used (%d are blocked), since there is no %s", blocked, domain.LockName)
	case blocked > 0:
		return fmt.Sprintf(" is not in %s, so none of its tools can be used (%d are blocked)%s", domain.LockName, blocked, update)
	}
	return fmt.Sprintf(" is not in %s (%s)%s", domain.LockName, domain.Counted(shown, "tool"), update)
}

// lockWarningText returns the text of a warning about the lock as a whole.
func lockWarningText(warning domain.Warning) string {
	switch warning.Kind {
	case domain.LockUnusable:
		return fmt.Sprintf("%s cannot be used, so no tool was compared with it: %s", domain.LockName, warning.Detail)
	case domain.LockMissing:
		return fmt.Sprintf("there is no %s to compare tools with; `mcp-workbench lock` writes it", domain.LockName)
	case domain.LockMoreLater:
		return fmt.Sprintf("%s changed while the workbench runs, so what it newly allows does not count yet; to make it count, the user can run "+
			"`mcp-workbench lock --update` in a terminal, or restart the workbench", domain.LockName)
	case domain.LockGone:
		return fmt.Sprintf("%s was removed; until the next start of the workbench tools are compared with what it contained", domain.LockName)
	}
	return unknownWarning(warning.Kind)
}

// blockedReason says why a tool is blocked. The text follows "since".
func blockedReason(why domain.WarningKind, detail string) string {
	switch why {
	case domain.ChangedToolBlocked:
		return fmt.Sprintf("it is not as it was locked in %s: its definition changed (%s)", domain.LockName, detail)
	case domain.UncheckedToolBlocked:
		return fmt.Sprintf("%s cannot be used: %s", domain.LockName, detail)
	}
	return fmt.Sprintf("it is not in %s", domain.LockName)
}

// blockedTool says that a tool must not be used, and how the user can change that.
func blockedTool(blocked *domain.ToolBlockedError) string {
	next := reviewTools
	if blocked.Why == domain.UncheckedToolBlocked {
		next = restoreLock
	}
	return fmt.Sprintf("%s in %s is blocked, since %s\n%s", toolOf(blocked.Tool), serverOf(blocked.Tool), blockedReason(blocked.Why, blocked.Detail), next)
}

// brokenLock says that no toolbox opens while the lock cannot be read.
func brokenLock(toolbox domain.ToolboxName, broken *domain.LockBrokenError) string {
	return fmt.Sprintf("Error opening toolbox %s: %s cannot be used, and no tool can be used without it: %s\n%s",
		domain.QuotedName(toolbox), domain.LockName, broken.Reason, restoreLock)
}

// unknownWarning returns a text for a warning that this package does not know, so that it is not lost.
func unknownWarning(kind domain.WarningKind) string {
	return fmt.Sprintf("there is a warning of an unknown kind (%d)", int(kind))
}
