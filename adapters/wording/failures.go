package wording

import (
	"errors"
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// maxNames is the maximum number of names that a hint lists; it counts the others.
const maxNames = 30

// OpenToolboxFailure returns the text of a failure of ports.ToolboxOpener (tests/acceptance/CONTRACT.md section 4).
// opened has the servers' reasons, if there are any.
func OpenToolboxFailure(name domain.ToolboxName, opened domain.OpenedToolbox, err error) string {
	if notFound, ok := errors.AsType[*domain.ToolboxNotFoundError](err); ok {
		return toolboxNotFound(notFound)
	}
	if broken, ok := errors.AsType[*domain.LockBrokenError](err); ok {
		return brokenLock(name, broken)
	}
	reasons := append(connectFailures(opened), missingServers(opened.Toolbox)...)
	if len(reasons) == 0 {
		reasons = []string{Reason(err)}
	}
	return fmt.Sprintf("Error opening toolbox %s: %s", domain.QuotedName(name), strings.Join(reasons, "; "))
}

// connectFailures returns a line for each server that is not connected.
func connectFailures(opened domain.OpenedToolbox) []string {
	var lines []string
	for _, server := range opened.Servers {
		if server.Failure != nil {
			lines = append(lines, fmt.Sprintf("Failed to connect to server %s in toolbox %s: %s",
				domain.QuotedName(server.ID.Server), domain.QuotedName(server.ID.Toolbox), Reason(server.Failure)))
		}
	}
	return lines
}

// forgetful is for hosts that begin a new session for each call, in which nothing is ever open.
const forgetful = "\nIf it was opened before, the host begins a new session for each call; the user can set \"openOnUse\": true in the configuration."

// UseToolFailure returns the text of a failure of ports.ToolUser (tests/acceptance/CONTRACT.md section 5): the first
// line is fixed, a second one may help the model to continue.
func UseToolFailure(tool domain.ToolIdentifier, err error) string {
	if notFound, ok := errors.AsType[*domain.ToolboxNotFoundError](err); ok {
		return toolboxNotFound(notFound) + nearest(string(notFound.Toolbox), notFound.Available)
	}
	if notOpen, ok := errors.AsType[*domain.ToolboxNotOpenError](err); ok {
		text := fmt.Sprintf("Error: Toolbox %s is not open. Call open_toolbox first.", domain.QuotedName(notOpen.Toolbox))
		if notOpen.IsFirst {
			text += forgetful
		}
		return text
	}
	if notFound, ok := errors.AsType[*domain.ServerNotFoundError](err); ok {
		text := fmt.Sprintf("Server %s not found in toolbox %s", domain.QuotedName(notFound.ID.Server), domain.QuotedName(notFound.ID.Toolbox))
		if len(notFound.Problems) > 0 {
			return text + forTheUser("The configuration of the server", notFound.Problems)
		}
		return text + hint(string(notFound.ID.Server), "Servers of this toolbox: ", notFound.Available)
	}
	if notFound, ok := errors.AsType[*domain.ToolNotFoundError](err); ok {
		if notFound.ForPages {
			return fmt.Sprintf("%s in %s can only be called by pages of its server. Use the tools that %s lists.", toolOf(tool), serverOf(tool), domain.ToolOpenToolbox)
		}
		gone := ""
		if notFound.Gone {
			gone = "\nThe server listed it the last time, and does not any more."
		}
		return fmt.Sprintf("%s not found in %s", toolOf(tool), serverOf(tool)) + gone +
			hint(tool.Tool, "Tools of this server: ", notFound.Available)
	}
	if blocked, ok := errors.AsType[*domain.ToolBlockedError](err); ok {
		return blockedTool(blocked)
	}
	if refused, ok := errors.AsType[*domain.NotReadOnlyError](err); ok {
		return notReadOnly(refused)
	}
	if changed, ok := errors.AsType[*domain.DefinitionChangedError](err); ok {
		definition := appendTool(nil, rawjson.WithoutTags(changed.Definition), tool.ServerID(), "", definitions.Full)
		return fmt.Sprintf("%s in %s was not called, since its definition is not as it was shown (%s). Call it again if that is still right:\n%s",
			toolOf(tool), serverOf(tool), changed.Changed, definition)
	}
	if invalid, ok := errors.AsType[*domain.InvalidArgumentsError](err); ok {
		definition := appendTool(nil, rawjson.WithoutTags(invalid.Definition), tool.ServerID(), "", definitions.Full)
		return fmt.Sprintf("Invalid arguments for tool %s in %s: %s\n%s", domain.QuotedName(tool.Tool), serverOf(tool), invalid.Problems, definition)
	}
	if broken, ok := errors.AsType[*domain.LockBrokenError](err); ok {
		return brokenLock(tool.Toolbox, broken)
	}
	if unconfirmed, ok := errors.AsType[*domain.NotConfirmedError](err); ok {
		return notConfirmed(tool, unconfirmed)
	}
	return fmt.Sprintf("Error executing tool %s in %s: %s", domain.QuotedName(tool.Tool), serverOf(tool), Reason(err))
}

// CloseToolboxFailure returns the text of a failure of ports.ToolboxCloser (tests/acceptance/CONTRACT.md section 8).
func CloseToolboxFailure(name domain.ToolboxName, err error) string {
	if notFound, ok := errors.AsType[*domain.ToolboxNotFoundError](err); ok {
		return toolboxNotFound(notFound)
	}
	if errors.Is(err, domain.ErrToolboxNotOpen) {
		return fmt.Sprintf("Error: Toolbox %s is not open.", domain.QuotedName(name))
	}
	return fmt.Sprintf("Error closing toolbox %s: %s", domain.QuotedName(name), Reason(err))
}

func toolboxNotFound(notFound *domain.ToolboxNotFoundError) string {
	available := "none"
	if len(notFound.Available) > 0 {
		available = strings.Join(notFound.Available, ", ")
	}
	return fmt.Sprintf("Error: Toolbox %s not found. Available toolboxes: %s", domain.QuotedName(notFound.Toolbox), available) +
		whyNotFound(notFound.Problems)
}

// hint returns a second line: the name that was probably meant, or the names that
// exist.
func hint(name, list string, available []string) string {
	if line := nearest(name, available); line != "" {
		return line
	}
	if len(available) == 0 {
		return "\n" + list + "none"
	}
	return "\n" + list + domain.FirstNames(available, maxNames, domain.ListedName[string])
}

// toolOf names a tool at the beginning of a sentence, serverOf its server within one.
func toolOf(tool domain.ToolIdentifier) string { return "Tool " + domain.QuotedName(tool.Tool) }

func serverOf(tool domain.ToolIdentifier) string {
	return fmt.Sprintf("server %s (toolbox %s)", domain.QuotedName(tool.Server), domain.QuotedName(tool.Toolbox))
}

func nearest(name string, available []string) string {
	if near, ok := domain.Nearest(name, available); ok {
		return "\nD" + strings.TrimPrefix(domain.DidYouMean(near), "d")
	}
	return ""
}
