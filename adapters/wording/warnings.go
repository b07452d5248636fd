package wording

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// Warnings returns the lines of warnings about an opened toolbox, with server and tool.
func Warnings(opened domain.OpenedToolbox) []string {
	var lines []string
	for _, warning := range opened.Warnings {
		lines = append(lines, wholeWarningText(warning))
	}
	hasNoLock := slices.ContainsFunc(opened.Warnings, func(w domain.Warning) bool { return w.Kind == domain.LockMissing })
	for _, server := range opened.Servers {
		lines = append(lines, serverWarnings(server, hasNoLock)...)
	}
	if names := quotedServers(opened.Servers, func(s domain.OpenedServer) bool { return s.Starting && !s.AtUse }); names != "" {
		lines = append(lines, "still starting, and shown with the tools that they listed last: "+names+
			"; the tools can be used now, and the first use waits for the server")
	}
	if names := quotedServers(opened.Servers, func(s domain.OpenedServer) bool { return s.AtUse }); names != "" {
		lines = append(lines, "not started before their first use, and shown with the tools that they listed last: "+names)
	}
	if slices.ContainsFunc(opened.Servers, func(s domain.OpenedServer) bool { return len(s.Registered) > 0 }) {
		lines = append(lines, registeredLater)
	}
	return lines
}

// UserWarnings is Warnings for a user at a terminal.
func UserWarnings(opened domain.OpenedToolbox) []string {
	lines := Warnings(opened)
	for i := range lines {
		lines[i] = ForUser(lines[i])
	}
	return lines
}

// serverWarnings returns the lines about one server. hasNoLock says that there is no lock at all.
func serverWarnings(server domain.OpenedServer, hasNoLock bool) []string {
	name := domain.QuotedName(server.ID.Server)
	byKind := map[domain.WarningKind][]domain.Warning{}
	for _, warning := range server.Warnings {
		byKind[warning.Kind] = append(byKind[warning.Kind], warning)
	}
	isUnlocked := byKind[domain.ServerNotLocked] != nil
	isJoined := map[domain.WarningKind]bool{}
	var lines []string
	for _, warning := range server.Warnings {
		same := byKind[warning.Kind]
		switch {
		case warning.Kind == domain.ServerNotLocked:
			lines = append(lines, "Server "+name+serverNotLocked(server.ID, len(byKind[domain.NotLocked]), len(byKind[domain.UnknownToolBlocked]), hasNoLock))
		case isUnlocked && isOfUnlockedServer(warning.Kind):
		case len(same) <= maxAlike || !canBeJoined(warning.Kind):
			lines = append(lines, "Server "+name+": "+warningText(warning))
		case !isJoined[warning.Kind]:
			isJoined[warning.Kind] = true
			lines = append(lines, "Server "+name+": "+joinedText(same))
		}
	}
	return lines
}

// quotedServers returns the names of the servers that match.
func quotedServers(servers []domain.OpenedServer, matches func(domain.OpenedServer) bool) string {
	var names []string
	for _, server := range servers {
		if matches(server) {
			names = append(names, domain.QuotedName(server.ID.Server))
		}
	}
	return strings.Join(names, ", ")
}

// registeredLater is for hosts that list the tools again only with the request after next. Until
// then their models cannot call registered names.
const registeredLater = "a registered_name can be called once the host has listed its tools again; until then " + domain.ToolUseTool + " works at once"

// longAnswer is the size in bytes above which some known hosts cut an answer.
const longAnswer = 40_000

// tooLongText says that a host does not pass on the whole of an answer.
func tooLongText(host Host, form definitions.Form, size int) string {
	return fmt.Sprintf("this answer has %d KB, and %s passes on no more than %s of a result, so some tools may not be seen; %s",
		(size+1023)/1024, host.Name, host.ResultLimit, whatShortens(form))
}

// longText says that an answer is long, for a host whose limits are unknown.
func longText(form definitions.Form, size int) string {
	return fmt.Sprintf("it has %d KB, about %d tokens of the model's context; several hosts cut a result at 40 KB, so that tools "+
		"are not seen; %s", (size+1023)/1024, definitions.EstimateTokens(size), whatShortens(form))
}

// whatShortens says which settings shorten an answer that has this form.
func whatShortens(form definitions.Form) string {
	const filters = "\"toolFilters\" in the configuration leaves out tools that are not needed"
	if form == definitions.Names {
		return filters
	}
	return "\"definitions\": \"auto\" in the configuration shows tools in short, and " + filters
}

// wholeWarningText returns the text of a warning that is not about one server.
func wholeWarningText(warning domain.Warning) string {
	switch warning.Kind {
	case domain.ConfigurationNotRead:
		return "the configuration changed and has a problem, for the user to correct, so the previous one is still in force: " + warning.Detail
	case domain.PatternUnmatched:
		return "the configuration has a mistake, for the user to correct: " + UnmatchedPattern(*warning.Pattern)
	case domain.LoginElsewhere:
		return fmt.Sprintf("%s does not pass XDG_STATE_HOME on, so a login that was made where that is set is not found; there, the user can run "+
			"`mcp-workbench connect` for %s again", warning.Detail, warning.Detail)
	case domain.SettingWithheld:
		return fmt.Sprintf("the configuration protects less than before (%s); that takes effect at the next start of the workbench", warning.Detail)
	}
	return lockWarningText(warning)
}

// maxDetail is the maximum number of characters that are shown of a reason that quotes a
// definition.
const maxDetail = 300

func warningText(warning domain.Warning) string {
	switch warning.Kind {
	case domain.ToolListedTwice:
		return fmt.Sprintf("tool %s is listed more than once; the first definition counts", domain.QuotedName(warning.Tool))
	case domain.ToolWithoutName:
		return fmt.Sprintf("entry %s of the tool list has no name and was left out", warning.Detail)
	case domain.ToolLeftOut:
		return fmt.Sprintf("tool %s cannot be used and was left out: %s", domain.QuotedName(warning.Tool), cut(warning.Detail, maxDetail))
	case domain.ListMissing:
		return fmt.Sprintf("its answer has no member %q, so it has no tools", warning.Detail)
	case domain.ListRepeated:
		if warning.Detail == "" {
			return "the tool list has an empty cursor and was ended there"
		}
		return fmt.Sprintf("the tool list repeated a page (cursor %s) and was cut there", domain.QuotedName(warning.Detail))
	case domain.ListCut:
		return fmt.Sprintf("the tool list was cut at %s", warning.Detail)
	case domain.ListBroken:
		return fmt.Sprintf("the tool list broke off after its first pages (%s); the tools shown may not be all", warning.Detail)
	case domain.ListNotRefreshed:
		if errors.Is(warning.Reason, domain.ErrLoginRequired) {
			return "the tools shown are the ones from before, since " + wholeReason(warning.Reason)
		}
		return fmt.Sprintf("its tools changed and could not be listed again (%s); the tools shown are the ones from before", wholeReason(warning.Reason))
	case domain.DefinitionChanged:
		return fmt.Sprintf("tool %s is not as it was shown before: the server changed its definition (%s)", domain.QuotedName(warning.Tool), warning.Detail)
	case domain.SuspiciousText, domain.SuspiciousPrompt:
		return suspiciousText(warning)
	case domain.NameTaken:
		return fmt.Sprintf("tool %s is not registered, since another tool has the name %s; call it through %s",
			domain.QuotedName(warning.Tool), domain.QuotedName(warning.Detail), domain.ToolUseTool)
	case domain.PromptNameTaken:
		return fmt.Sprintf("prompt %s is not available, since another prompt has the name %s", domain.QuotedName(warning.Tool), domain.QuotedName(warning.Detail))
	case domain.LeftOutToolMissing:
		return fmt.Sprintf(`"toolFilters" leaves out the tool %s, which the server does not list; the tool that was meant may be among these`,
			domain.QuotedName(warning.Detail))
	case domain.AdjustmentWrong:
		return fmt.Sprintf(`"tools" in the configuration has a mistake, for the user to correct: tool %s: %s`, domain.QuotedName(warning.Tool), warning.Detail)
	case domain.StartFailed:
		return "it was shown before it was started, and then could not be started: " + Reason(warning.Reason)
	case domain.ServerRestarted:
		return fmt.Sprintf("it was restarted, and what it had in memory is gone (%s)", wholeReason(warning.Reason))
	}
	return pinWarningText(warning)
}

// suspiciousText says that a text of a server has characters that hide or reorder what is shown.
func suspiciousText(warning domain.Warning) string {
	what := "its instructions have"
	switch {
	case warning.Kind == domain.SuspiciousPrompt:
		what = fmt.Sprintf("prompt %s has", domain.QuotedName(warning.Tool))
	case warning.Tool != "":
		what = fmt.Sprintf("tool %s has", domain.QuotedName(warning.Tool))
	}
	return fmt.Sprintf("%s characters that hide or reorder text (%s)", what, warning.Detail)
}
