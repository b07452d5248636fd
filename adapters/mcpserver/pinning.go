package mcpserver

import (
	"fmt"

	"mcp-workbench/domain"
)

// Words about the lock. A model cannot approve of tools, so they say what it can ask
// its user for.
const (
	reviewTools = "Ask the user to look at the differences with `mcp-workbench lock --check` and, if they are right, " +
		"to accept them with `mcp-workbench lock --update`; then open the toolbox again."
	restoreLock = "Ask the user to restore the file, or to write it anew with `mcp-workbench lock --update`; " +
		"then open the toolbox again."
)

// wordAboutPin words that a tool is not as it was locked.
func wordAboutPin(warning domain.Warning) string {
	switch warning.Kind {
	case domain.ChangedSinceLocked:
		return fmt.Sprintf("tool '%s' is not as it was locked in %s: its definition changed (%s)",
			warning.Tool, domain.LockName, warning.Detail)
	case domain.NotLocked:
		return fmt.Sprintf("tool '%s' is not in %s", warning.Tool, domain.LockName)
	case domain.LockedToolGone:
		return fmt.Sprintf("tool '%s' is in %s, but the server does not list it", warning.Tool, domain.LockName)
	case domain.ChangedToolBlocked, domain.UnknownToolBlocked, domain.UncheckedToolBlocked:
		return fmt.Sprintf("tool '%s' is blocked, since %s", warning.Tool, whyBlocked(warning.Kind, warning.Detail))
	}
	return "something is odd"
}

// wordAboutLock words what there is to say about the lock as a whole.
func wordAboutLock(warning domain.Warning) string {
	switch warning.Kind {
	case domain.LockUnusable:
		return fmt.Sprintf("%s cannot be used, so no tool was compared with it: %s", domain.LockName, warning.Detail)
	case domain.LockMissing:
		return fmt.Sprintf("there is no %s to compare tools with; `mcp-workbench lock` writes it", domain.LockName)
	}
	return "something is odd"
}

// whyBlocked says why a tool is blocked, for after "since".
func whyBlocked(why domain.WarningKind, detail string) string {
	switch why {
	case domain.ChangedToolBlocked:
		return fmt.Sprintf("it is not as it was locked in %s: its definition changed (%s)", domain.LockName, detail)
	case domain.UncheckedToolBlocked:
		return fmt.Sprintf("%s cannot be used: %s", domain.LockName, detail)
	}
	return fmt.Sprintf("it is not in %s", domain.LockName)
}

// toolBlocked words that a tool must not be used, and what would change that.
func toolBlocked(blocked *domain.ToolBlockedError) string {
	next := reviewTools
	if blocked.Why == domain.UncheckedToolBlocked {
		next = restoreLock
	}
	return fmt.Sprintf("Tool '%s' in server '%s' (toolbox '%s') is blocked, since %s\n%s",
		blocked.Tool.Tool, blocked.Tool.Server, blocked.Tool.Toolbox, whyBlocked(blocked.Why, blocked.Detail), next)
}

// lockBroken words that no toolbox is opened while the lock cannot be used.
func lockBroken(broken *domain.LockBrokenError) string {
	return fmt.Sprintf("%s cannot be used, and without it no tool may be: %s\n%s", domain.LockName, broken.Reason, restoreLock)
}
