package application

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PatternWarner is the use case OpenToolbox that also warns of patterns in "confirm" and
// "readOnly" that name no tool: what somebody meant to protect may not be protected. It
// belongs to one host.
type PatternWarner struct {
	next    ports.ToolboxOpener
	catalog ports.Catalog
	known   *sessions.KnownTools
	log     *slog.Logger

	mu   sync.Mutex // guards said; nothing blocks under it
	said map[string]bool
}

// NewPatternWarner returns the use case over the one that opens toolboxes. Each pattern is
// logged once.
func NewPatternWarner(next ports.ToolboxOpener, catalog ports.Catalog, known *sessions.KnownTools, log *slog.Logger) *PatternWarner {
	return &PatternWarner{next: next, catalog: catalog, known: known, log: log, said: map[string]bool{}}
}

// OpenToolbox implements ports.ToolboxOpener. A pattern that may name a tool of a server
// whose tools are not known yet is not warned of.
func (w *PatternWarner) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	opened, err := w.next.OpenToolbox(ctx, name)
	if err != nil || !slices.ContainsFunc(opened.Toolbox.Servers, hasPatterns) {
		return opened, err
	}
	var warnings []domain.Warning
	for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(w.catalog.Toolboxes(), w.known.Names)) {
		if pattern.Toolbox != "" && pattern.Toolbox != name {
			continue
		}
		warnings = append(warnings, domain.Warning{Kind: domain.PatternUnmatched, Detail: pattern.String()})
		w.logOnce(pattern.String())
	}
	if warnings != nil {
		opened.Warnings = slices.Concat(opened.Warnings, warnings)
	}
	return opened, nil
}

func hasPatterns(server domain.Server) bool {
	return len(server.Approvals.Confirm)+len(server.Approvals.ReadOnly) > 0
}

func (w *PatternWarner) logOnce(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.said[text] {
		w.said[text] = true
		w.log.Warn(text)
	}
}
