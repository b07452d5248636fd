package shell

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
)

// Starts shows which servers are starting, for how long, and the last line of each one's standard
// error. Safe for concurrent use.
type Starts struct {
	screen StatusLines
	begun  time.Time

	mu        sync.Mutex
	pending   []domain.ServerID
	lastLines map[domain.ServerID]string
}

// StatusLines shows lines below everything else on a terminal: a terminal.Output. Columns
// returns 0 where there is no terminal.
type StatusLines interface {
	Columns() int
	Show(lines ...string)
}

// NewStarts returns a view of starting servers on a screen.
func NewStarts(screen StatusLines) *Starts {
	return &Starts{screen: screen, lastLines: map[domain.ServerID]string{}}
}

// Begin shows that these servers are starting, until end is called.
func (s *Starts) Begin(servers []domain.Server) (end func()) {
	s.mu.Lock()
	s.begun = time.Now()
	for _, server := range servers {
		s.pending = append(s.pending, server.ID)
	}
	s.mu.Unlock()
	if s.screen.Columns() == 0 {
		return func() {}
	}
	ending, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		const refresh = 200 * time.Millisecond
		ticker := time.NewTicker(refresh)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.screen.Show(s.lines()...)
			case <-ending:
				s.screen.Show()
				return
			}
		}
	}()
	return func() {
		close(ending)
		<-ended
	}
}

// Done notes that a server is up or failed.
func (s *Starts) Done(server domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = slices.DeleteFunc(s.pending, func(id domain.ServerID) bool { return id == server })
}

func (s *Starts) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, id := range s.pending {
		lines = append(lines, fmt.Sprintf("starting %s/%s %.0fs  %s", id.Toolbox, id.Server, time.Since(s.begun).Seconds(), s.lastLines[id]))
	}
	return lines
}

// Handler returns a handler that takes the lines of servers' standard error from log records, and
// passes records on to next if next is enabled for them.
func (s *Starts) Handler(next slog.Handler) slog.Handler {
	return NewServerHandler(next, slog.LevelInfo, func(server domain.ServerID, record slog.Record) {
		record.Attrs(func(attribute slog.Attr) bool {
			if attribute.Key != "stderr" {
				return true
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.lastLines[server] = attribute.Value.String()
			return false
		})
	})
}
