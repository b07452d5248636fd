package ui

import (
	"sync"
	"time"

	"mcp-workbench/domain"
)

// Entry is an activity between a host and the servers. Its texts come from hosts, servers and files.
type Entry struct {
	Kind    domain.ActivityKind
	Outcome domain.Outcome
	// Time is when the activity ended.
	Time time.Time
	// Took is the duration. An end has the duration of the whole session.
	Took time.Duration
	// Tool is the subject, as in domain.Activity. If Unknown is set, these are names that a caller made up.
	Tool    domain.ToolIdentifier
	Unknown bool
	// Code is the code of the server's JSON-RPC error, 0 for none.
	Code int
	// Sent and Received are the sizes of the arguments and of the answer in bytes. Tokens is the approximate
	// number of tokens in the answer that the host was shown.
	Sent, Received, Tokens int
	// Calls is the number of calls that share the entry, at least 1. Took is their average, and the sizes and
	// tokens are sums.
	Calls int
	// Workbench identifies the workbench.
	Workbench string
	// Host and Version are the name and version that the host reports. Identity names a caller over HTTP. Each
	// can be "".
	Host, Version, Identity string
}

const (
	// maxEntries is the number of entries that are kept. Each takes about 100 bytes.
	maxEntries = 200_000
	// dropped is the number of oldest entries that are dropped together.
	dropped = maxEntries / 4
	// maxName is the length to which a name is cut, in bytes.
	maxName = 512
)

// moment is the kept form of an entry, in which names are indexes of tables.
type moment struct {
	at                    time.Time
	took                  time.Duration
	tool, host, workbench int32
	code                  int32
	sent, received        int32
	tokens, calls         int32
	unknown               bool
	kind                  domain.ActivityKind
	outcome               domain.Outcome
}

// caller is the host of an entry.
type caller struct{ name, version, identity string }

// history keeps the newest entries. Safe for concurrent use.
type history struct {
	mu      sync.RWMutex
	first   uint64 // number of moments[0]
	moments []moment
	// tools, callers and workbenches are the tables with the names of entries.
	tools       table[domain.ToolIdentifier]
	callers     table[caller]
	workbenches table[string]
}

// table gives each value an index. The zero value is ready.
type table[T comparable] struct {
	values []T
	places map[T]int32
}

func (t *table[T]) place(value T) int32 {
	place, known := t.places[value]
	if known {
		return place
	}
	if t.places == nil {
		t.places = map[T]int32{}
	}
	place = int32(len(t.values)) // #nosec G115 -- there are at most maxEntries of them
	t.values = append(t.values, value)
	t.places[value] = place
	return place
}

// add adds entries, which must be in the order in which they were recorded.
func (h *history) add(entries []Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, entry := range entries {
		if len(h.moments) >= maxEntries {
			h.drop()
		}
		h.moments = append(h.moments, moment{
			at: entry.Time, took: max(entry.Took, 0), kind: entry.Kind, outcome: entry.Outcome, code: bounded(entry.Code),
			sent: bounded(entry.Sent), received: bounded(entry.Received), tokens: bounded(entry.Tokens), calls: max(bounded(entry.Calls), 1), unknown: entry.Unknown,
			tool: h.tools.place(domain.ToolIdentifier{
				Toolbox: domain.ToolboxName(held(string(entry.Tool.Toolbox))), Server: domain.ServerName(held(string(entry.Tool.Server))),
				Tool: held(entry.Tool.Tool),
			}),
			host:      h.callers.place(caller{held(entry.Host), held(entry.Version), held(entry.Identity)}),
			workbench: h.workbenches.place(held(entry.Workbench)),
		})
	}
}

// drop drops the oldest entries, and the names that no other entry has.
func (h *history) drop() {
	kept := h.moments[dropped:]
	moments := make([]moment, len(kept), maxEntries)
	var tools table[domain.ToolIdentifier]
	var callers table[caller]
	var workbenches table[string]
	for i, m := range kept {
		m.tool = tools.place(h.tools.values[m.tool])
		m.host = callers.place(h.callers.values[m.host])
		m.workbench = workbenches.place(h.workbenches.values[m.workbench])
		moments[i] = m
	}
	h.first += dropped
	h.moments, h.tools, h.callers, h.workbenches = moments, tools, callers, workbenches
}

// end returns the total number of entries so far, including dropped ones.
func (h *history) end() uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.first + uint64(len(h.moments))
}

// entry returns the entry of a moment. The caller holds the lock.
func (h *history) entry(m moment) Entry {
	host := h.callers.values[m.host]
	return Entry{
		Kind: m.kind, Outcome: m.outcome, Time: m.at, Took: m.took, Tool: h.tools.values[m.tool], Unknown: m.unknown, Code: int(m.code),
		Sent: int(m.sent), Received: int(m.received), Tokens: int(m.tokens), Calls: int(m.calls),
		Workbench: h.workbenches.values[m.workbench], Host: host.name, Version: host.version, Identity: host.identity,
	}
}

func held(name string) string { return name[:min(len(name), maxName)] }

func bounded(number int) int32 {
	const limit = 1<<31 - 1
	return int32(min(max(number, -limit), limit)) // #nosec G115 -- it is in range
}
