package main

import (
	"log/slog"
	"sync"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/domain"
)

// strayLines counts what servers write to their output that is no message of MCP. Safe
// for concurrent use.
type strayLines struct {
	mu    sync.Mutex
	lines map[domain.ServerID]int
}

func newStrayLines() *strayLines { return &strayLines{lines: map[domain.ServerID]int{}} }

func (s *strayLines) of(server domain.ServerID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[server]
}

// handler returns a handler that counts, and passes on to next what next is enabled for.
// The lines are logged at debug.
func (s *strayLines) handler(next slog.Handler) slog.Handler {
	return shell.NewServerHandler(next, slog.LevelDebug, func(server domain.ServerID, record slog.Record) {
		if record.Message != mcpclient.IgnoredLine {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lines[server]++
	})
}
