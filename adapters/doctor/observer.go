package doctor

import (
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

// Observer records how long servers took to start, and how many lines of their output are not
// MCP messages. Safe for concurrent use.
type Observer struct {
	begun time.Time

	mu   sync.Mutex // guards seen
	seen map[domain.ServerID]observation
}

type observation struct {
	startTime  time.Duration
	strayLines int
}

// NewObserver returns an observer of servers that are started from now on.
func NewObserver() *Observer {
	return &Observer{begun: time.Now(), seen: map[domain.ServerID]observation{}}
}

func (o *Observer) observation(server domain.ServerID) observation {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[server]
}

func (o *Observer) note(server domain.ServerID, change func(*observation)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	seen := o.seen[server]
	change(&seen)
	o.seen[server] = seen
}

func (o *Observer) started(server domain.ServerID) {
	o.note(server, func(seen *observation) { seen.startTime = time.Since(o.begun) })
}

// Handler returns a handler that counts stray lines, which are logged at debug. It passes on
// what next is enabled for.
func (o *Observer) Handler(next slog.Handler) slog.Handler {
	return shell.NewServerHandler(next, slog.LevelDebug, func(server domain.ServerID, record slog.Record) {
		if record.Message == mcpclient.IgnoredLine {
			o.note(server, func(seen *observation) { seen.strayLines++ })
		}
	})
}
