package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// slowStart is how long a server may take to start before it is a finding: hosts have
// been seen to give up after 30 seconds.
const slowStart = 20 * time.Second

// startedServer is a server that was started to be looked at.
type startedServer struct {
	domain.OpenedServer
	configured domain.Server
	took       time.Duration
	// strayLines are lines of its output that are no messages.
	strayLines int
}

// examine returns what is wrong with the server.
func (s startedServer) examine() []finding {
	var findings []finding
	place := placeOf(s.ID)
	add := func(code, found, mend string) { findings = append(findings, finding{code, place, found, mend}) }
	switch {
	case errors.Is(s.Failure, context.DeadlineExceeded):
		add(codeHandshake, "it started, and did not shake hands: "+domain.Reason(s.Failure),
			"run its command in a shell to see what it waits for, or whether it is an MCP server at all")
	case s.Failure != nil:
		add(codeUnreachable, domain.Reason(s.Failure), fmt.Sprintf("'mcp-workbench list %s --log-level debug' shows what it says", domain.ShellWord(place)))
	case s.took >= slowStart:
		add(codeSlow, fmt.Sprintf("it took %.0f s to start", s.took.Seconds()), "install the server, so that it is not downloaded or built at each start")
	}
	if s.strayLines > 0 {
		add(codeOutput, fmt.Sprintf("it wrote %s to its standard output that %s no MCP", plural(s.strayLines, "line"), isOrAre(s.strayLines)),
			"let it log to stderr, or switch its banner off; the workbench ignores such lines, but a message that they cut is lost")
	}
	differs := func(warning domain.Warning) bool { return slices.Contains(lockKinds(), warning.Kind) }
	if slices.ContainsFunc(s.Warnings, differs) {
		add(codeLock, "its tools or instructions are not as they were locked",
			"'mcp-workbench lock --check' shows the differences, and 'lock --update' accepts them")
	} else if missing := s.filteredInVain(); len(missing) > 0 {
		add(codeFilter, fmt.Sprintf(`"toolFilters" names %s, which the server does not list`, strings.Join(missing, ", ")),
			fmt.Sprintf("correct the name: 'mcp-workbench list %s' shows the tools", domain.ShellWord(place)))
	}
	return findings
}

// filteredInVain returns what the filter names and the server does not list, as it
// stands in the filter.
func (s startedServer) filteredInVain() []string {
	if s.Failure != nil {
		return nil
	}
	if s.configured.Tools.IsList() {
		// Tools that were named and exist are not filtered out.
		return s.configured.Tools.Missing(s.Tools)
	}
	var missing []string
	for _, warning := range s.Warnings {
		if warning.Kind == domain.LeftOutToolMissing {
			missing = append(missing, "!"+warning.Detail)
		}
	}
	return missing
}

// lockKinds are the warnings about tools and instructions that differ from the lock.
func lockKinds() []domain.WarningKind {
	return []domain.WarningKind{
		domain.ChangedSinceLocked, domain.NotLocked, domain.LockedToolGone,
		domain.ChangedToolBlocked, domain.UnknownToolBlocked, domain.UncheckedToolBlocked,
		domain.InstructionsChanged, domain.InstructionsBlocked,
	}
}

// clientNames are the names in the clientInfo of the hosts of which it is known how much
// of an answer they pass on, by their IDs.
var clientNames = map[string]string{
	"claude-code": "claude-code", "codex": "codex-mcp-client", "gemini": "gemini-cli-mcp-client", "opencode": "opencode",
}

// examineAnswer finds connected hosts that cut what opening a toolbox shows.
func examineAnswer(opened domain.OpenedToolbox, settings definitions.Settings, connected []string) []finding {
	var findings []finding
	name := opened.Toolbox.Name
	for _, id := range connected {
		host := wording.HostNamed(clientNames[id])
		answer := wording.NewOpenAnswer(opened, wording.Showing{Form: settings.Form(name), Budget: settings.Budget, Host: host})
		if host.MaxResult == 0 || answer.Size() <= host.MaxResult {
			continue
		}
		found, mend, _ := strings.Cut(answer.TooLong(), "; ")
		findings = append(findings, finding{codeCut, string(name), "opening it: " + found, mend})
	}
	return findings
}

// plural returns a number of things: "1 line", "2 lines".
func plural(count int, thing string) string {
	if count != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", count, thing)
}

func isOrAre(count int) string {
	if count == 1 {
		return "is"
	}
	return "are"
}
