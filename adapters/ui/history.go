package ui

import (
	"slices"
	"sync"
	"time"
	"unique"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

// entry is an entry of the record as pages keep it: equal names share their memory.
type entry struct {
	// Number is the number of the entry. Newer entries have higher numbers.
	Number                 uint64
	Time                   time.Time
	Duration               time.Duration
	Kind                   domain.ActivityKind
	Outcome                domain.Outcome
	Unknown                bool
	Code, Calls            int
	Sent, Received, Tokens int
	tool                   unique.Handle[domain.ToolIdentifier]
	host                   unique.Handle[caller]
}

// caller is the host of an entry.
type caller struct{ name, version, identity string }

func newEntry(number uint64, e activity.Entry) entry {
	return entry{
		Number: number, Time: e.Time, Duration: milliseconds(e.Milliseconds), Kind: e.Kind, Outcome: e.Outcome, Unknown: e.Unknown, Code: e.Code, Calls: e.Count(),
		Sent: int(e.BytesIn), Received: int(e.BytesOut), Tokens: int(e.Tokens), host: unique.Make(caller{e.Host, e.HostVersion, e.Identity}),
		tool: unique.Make(domain.ToolIdentifier{Toolbox: domain.ToolboxName(e.Toolbox), Server: domain.ServerName(e.Server), Tool: e.Tool}),
	}
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// Tool returns the subject of the entry, as in domain.Activity.
func (e entry) Tool() domain.ToolIdentifier { return e.tool.Value() }

// HostName returns the name of the entry's host.
func (e entry) HostName() string { return e.host.Value().String() }

// String returns the name and version of the host, or the identity of the caller if there is no name.
func (c caller) String() string {
	switch {
	case c.name == "" && c.identity == "":
		return "–"
	case c.name == "":
		return c.identity
	case c.version != "":
		return c.name + " " + c.version
	default:
		return c.name
	}
}

const (
	// maxEntries is the number of entries that are kept. Each takes about 150 bytes.
	maxEntries = 200_000
	// dropped is the number of oldest entries that are dropped together.
	dropped = maxEntries / 4
)

// history keeps the newest entries. Safe for concurrent use.
type history struct {
	mu      sync.RWMutex
	last    uint64 // the number of the newest entry
	entries []entry
}

// add adds entries, which must be in the order in which they were recorded.
func (h *history) add(entries []activity.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range entries {
		if len(h.entries) >= maxEntries {
			h.entries = slices.Delete(h.entries, 0, dropped)
		}
		h.last++
		h.entries = append(h.entries, newEntry(h.last, e))
	}
}

// end returns the total number of entries so far, including dropped ones.
func (h *history) end() uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.last
}
