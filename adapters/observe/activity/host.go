package activity

import (
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// Host records the activity of one host. It implements ports.ActivityObserver. Safe for concurrent use.
type Host struct {
	record   *Record
	identity string
	info     func() domain.HostInfo
}

var _ ports.ActivityObserver = (*Host)(nil)

// Host returns the observer of a host. The identity is that of a caller over HTTP, "" for other hosts. The function info
// returns the name and version that the host reports; it is called for each entry and must not block. A nil Record returns
// nil.
func (r *Record) Host(identity string, info func() domain.HostInfo) *Host {
	if r == nil {
		return nil
	}
	return &Host{record: r, identity: domain.ShortIdentity(identity), info: info}
}

// Tools returns the observer of the tools of the host's servers, nil for a nil Host.
func (h *Host) Tools() ports.ToolsObserver {
	if h == nil {
		return nil
	}
	return h.record
}

// Observe implements ports.ActivityObserver. It does no I/O, so that it does not delay answers.
func (h *Host) Observe(activity domain.Activity) { h.record.add(h, activity) }

// entry returns the entry of an activity, or that of a number of calls and their sum.
func (h *Host) entry(a domain.Activity, calls int64) Entry {
	info := h.info()
	entry := Entry{
		Time: a.Time, Workbench: h.record.workbench, Host: shortName(info.Name), HostVersion: shortName(info.Version), Identity: shortName(h.identity),
		Kind: a.Kind, Toolbox: shortName(string(a.Tool.Toolbox)), Server: shortName(string(a.Tool.Server)), Tool: shortName(a.Tool.Tool), Unknown: a.Unknown,
		Outcome: a.Outcome, Code: a.Code, Milliseconds: float64(max(a.Duration/(time.Millisecond/10), 0)) / 10,
		BytesIn: int64(a.Sent), BytesOut: int64(a.Received), Tokens: int64(definitions.EstimateTokens(a.Shown)),
	}
	if calls > 1 {
		entry.Calls = calls
	}
	return entry
}
