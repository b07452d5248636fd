package ui

import (
	"sync"
	"time"

	"mcp-workbench/domain"
)

// Entry is something that happened between a host and the servers. Its texts are those of hosts, servers
// and files.
type Entry struct {
	Kind    domain.ActivityKind
	Outcome domain.Outcome
	// Time is when it ended.
	Time time.Time
	// Took is the duration. An end has the duration of the whole session.
	Took time.Duration
	// Tool is the subject, as in domain.Activity. If Unknown is set, these are names that a caller made
	// up.
	Tool    domain.ToolIdentifier
	Unknown bool
	// Code is the code of the JSON-RPC error that the server answered with, 0 for none.
	Code int
	// Sent and Received are the sizes of the arguments and of the answer in bytes, Tokens is the approximate
	// number of tokens of the answer that the host was shown.
	Sent, Received, Tokens int
	// Calls is the number of calls that share the entry, 1 or more. Took is their average then, and the sizes
	// and tokens are sums.
	Calls int
	// Workbench tells workbenches apart.
	Workbench string
	// Host and Version are the host's description of itself, Identity names a caller over HTTP. Each can
	// be "".
	Host, Version, Identity string
}

// hasFailed reports whether an outcome is a failure. The host gave up a call that was cancelled.
func hasFailed(outcome domain.Outcome) bool {
	return outcome != domain.OutcomeOK && outcome != domain.OutcomeCancelled
}

const (
	// maxEntries is the number of entries that are held. One takes about 100 bytes.
	maxEntries = 200_000
	// dropped is the number of the oldest that make room at once.
	dropped = maxEntries / 4
	// longestName is up to where a name is held, in bytes.
	longestName = 512
)

// moment is an entry as it is held: names are places in tables.
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

// history holds the newest entries. Safe for concurrent use.
type history struct {
	mu      sync.RWMutex
	first   uint64 // number of moments[0]
	moments []moment
	// tools, callers and workbenches are the names that entries have, places are where they are.
	tools       table[domain.ToolIdentifier]
	callers     table[caller]
	workbenches table[string]
}

// table gives each value a place. The zero value is ready.
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

// add holds entries, in the order in which they were recorded.
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

// drop forgets the oldest entries, and the names that no other entry has.
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

// end returns the number that the next entry will have. It grows with every entry.
func (h *history) end() uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.first + uint64(len(h.moments))
}

// entry returns an entry as it was added. The caller holds the lock.
func (h *history) entry(m moment) Entry {
	host := h.callers.values[m.host]
	return Entry{
		Kind: m.kind, Outcome: m.outcome, Time: m.at, Took: m.took, Tool: h.tools.values[m.tool], Unknown: m.unknown, Code: int(m.code),
		Sent: int(m.sent), Received: int(m.received), Tokens: int(m.tokens), Calls: int(m.calls),
		Workbench: h.workbenches.values[m.workbench], Host: host.name, Version: host.version, Identity: host.identity,
	}
}

func held(name string) string { return name[:min(len(name), longestName)] }

func bounded(number int) int32 {
	const most = 1<<31 - 1
	return int32(min(max(number, -most), most)) // #nosec G115 -- it is in range
}
