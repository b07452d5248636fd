package application

import (
	"errors"
	"slices"
	"strings"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ReloadedHost is one host that a reloaded configuration applies to.
type ReloadedHost struct {
	sessions      *sessions.Sessions
	opened        *Opened
	registrations *Registrations // nil when no tools are registered
	watcher       ports.ConfigurationWatcher
	// current is the configuration as the host sees it, and listing shows it to the host.
	current *Current
	listing ports.Listing
}

// NewReloadedHost returns a host with its parts. Registrations may be nil. Hosts that see the
// whole configuration share the listing of the process; others have one of their own.
func NewReloadedHost(
	sessions *sessions.Sessions, opened *Opened, registrations *Registrations, watcher ports.ConfigurationWatcher,
	current *Current, listing ports.Listing,
) *ReloadedHost {
	return &ReloadedHost{
		sessions: sessions, opened: opened, registrations: registrations, watcher: watcher,
		current: current, listing: listing,
	}
}

// reload applies a configuration that is in force already, and tells the host if there is a
// change to report or its tools changed.
func (h *ReloadedHost) reload(read reloaded) {
	h.sessions.Reload(read.toolboxes)
	for _, removed := range read.change.removed {
		name := domain.ToolboxName(removed)
		h.opened.remove(name)
		// An opening under way would note that the toolbox is open, and it would still be open
		// if a toolbox of this name came back.
		h.opened.afterwards(name, func() { h.opened.remove(name) })
	}
	if read.change.policy {
		h.sessions.ReapplyPins()
	}
	report := read.report
	report.ToolsChanged = read.change.listing
	if h.registrations.reload(read.change.listing) {
		report.ToolsChanged = true
	}
	if !read.unchanged || report.ToolsChanged {
		h.watcher.ConfigurationRead(report)
	}
}

// lockChanged tells the host that the lock changed. The lock was applied to its tools before.
func (h *ReloadedHost) lockChanged(report domain.ConfigurationRead) {
	report.ToolsChanged = h.registrations.reload(false)
	h.watcher.ConfigurationRead(report)
}

// refuse tells the host why a configuration is not in force, as far as it sees the problems.
func (h *ReloadedHost) refuse(problems []domain.ConfigurationProblem) {
	seen := h.current.view.problems(problems)
	if len(seen) == 0 {
		return
	}
	texts := make([]string, len(seen))
	for i, problem := range seen {
		texts[i] = problem.Text
	}
	text := "the configuration was read again and has problems, so the one before stays in force: " + strings.Join(texts, "; ")
	h.watcher.ConfigurationRead(domain.ConfigurationRead{Failed: true, Text: text})
}

// withProblems adds problems of the configuration to the failure of a toolbox that does
// not exist.
func withProblems(err error, problems []domain.ConfigurationProblem) error {
	missing, ok := errors.AsType[*domain.ToolboxNotFoundError](err)
	if !ok {
		return err
	}
	whole := *missing
	whole.Problems = slices.Clone(missing.Problems)
	for _, problem := range problems {
		problem.All = true // it may hide other toolboxes too
		whole.Problems = append(whole.Problems, problem)
	}
	return &whole
}
