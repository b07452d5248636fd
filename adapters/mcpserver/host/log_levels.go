package host

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// logLevels are the log messages that the host wants. A host with a handshake sets
// one level for all; a host of 2026-07-28 sets one for each request. Safe for
// concurrent use.
type logLevels struct {
	mu       sync.Mutex
	level    string // for all, "" until it is set
	requests []*requestLevel
}

// requestLevel is what one request of the host wants.
type requestLevel struct {
	connection Connection // that messages for the request leave through
	server     domain.ServerID
	level      string
	// ended reports whether the request was answered or cancelled. Removing the entry
	// comes a little later.
	ended func() bool
}

// SetLogLevel records the lowest level of log messages that a host with a handshake
// wants. Until then it gets all of them.
func (h *Host) SetLogLevel(level string) {
	h.levels.set(level)
}

// WantLogs records that a request wants log messages of a server from a level on
// ("" for none), through the connection, until the context of the request ends. It
// returns what the server has to be told: the lowest level that any request wants of it,
// "" for nothing.
func (h *Host) WantLogs(ctx context.Context, c Connection, server domain.ServerID, level string) string {
	if level == "" {
		return ""
	}
	h.levels.add(ctx, c, server, level)
	return h.levels.lowest(server)
}

func (l *logLevels) set(level string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.level = level
}

func (l *logLevels) add(ctx context.Context, c Connection, server domain.ServerID, level string) {
	entry := &requestLevel{connection: c, server: server, level: level, ended: func() bool { return ctx.Err() != nil }}
	l.mu.Lock()
	l.requests = append(l.requests, entry)
	l.mu.Unlock()
	context.AfterFunc(ctx, func() { l.remove(entry) })
}

func (l *logLevels) remove(entry *requestLevel) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = slices.DeleteFunc(l.requests, func(other *requestLevel) bool { return other == entry })
}

// lowest returns the lowest level that a request to the server wants, "" for none.
func (l *logLevels) lowest(server domain.ServerID) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lowest := ""
	for _, entry := range l.requests {
		if entry.server == server && !entry.ended() && (lowest == "" || domain.LogSeverity(entry.level) < domain.LogSeverity(lowest)) {
			lowest = entry.level
		}
	}
	return lowest
}

// wants reports whether a host with a handshake wants a log message with these
// parameters.
func (l *logLevels) wants(params json.RawMessage) bool {
	l.mu.Lock()
	lowest := l.level
	l.mu.Unlock()
	return domain.LogSeverity(levelOf(params)) >= domain.LogSeverity(lowest)
}

// listener returns the connection of the newest request to the server that wants a log
// message with these parameters, nil if none does. The message names no request, and the
// host is to hear it once.
func (l *logLevels) listener(server domain.ServerID, params json.RawMessage) Connection {
	of := domain.LogSeverity(levelOf(params))
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, entry := range slices.Backward(l.requests) {
		if entry.server == server && !entry.ended() && of >= domain.LogSeverity(entry.level) {
			return entry.connection
		}
	}
	return nil
}

func levelOf(params json.RawMessage) string { return rawjson.Text(rawjson.Member(params, "level")) }
