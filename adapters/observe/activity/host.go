package activity

import (
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Host records the activity of one host. It implements ports.ActivityObserver. Safe for concurrent use.
type Host struct {
	record   *Record
	identity string
	info     atomic.Pointer[func() domain.HostInfo]

	// Guarded by the record's mutex:
	known  []byte // the members that all entries of the host have
	writes int    // the value of the record's writes when known was formatted
}

var _ ports.ActivityObserver = (*Host)(nil)

// Host returns the observer of a host. The identity is that of a caller over HTTP, "" for other hosts. A nil
// Record returns nil.
func (r *Record) Host(identity string) *Host {
	if r == nil {
		return nil
	}
	return &Host{record: r, identity: domain.ShortIdentity(identity)}
}

// Identify sets the function that returns the name and version that the host reports. The function is called a
// few times a second and must not block. A nil Host ignores it.
func (h *Host) Identify(info func() domain.HostInfo) {
	if h != nil {
		h.info.Store(&info)
	}
}

// Tools returns the observer of the tools of the host's servers, nil for a nil Host.
func (h *Host) Tools() ports.ToolsObserver {
	if h == nil {
		return nil
	}
	return h.record
}

// Observe implements ports.ActivityObserver. It does no I/O, so that it does not delay answers.
func (h *Host) Observe(activity domain.Activity) { h.record.add(h, &activity) }

// refresh formats the members of the host again, since its name can change.
func (h *Host) refresh(writes int) {
	var info domain.HostInfo
	if ask := h.info.Load(); ask != nil {
		info = (*ask)()
	}
	h.writes = writes
	h.known = appendName(h.known[:0], `,"workbench":`, h.record.workbench)
	h.known = appendName(h.known, `,"host":`, info.Name)
	h.known = appendName(h.known, `,"hostVersion":`, info.Version)
	h.known = appendName(h.known, `,"identity":`, h.identity)
}
