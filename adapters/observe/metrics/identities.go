package metrics

import (
	"maps"
	"slices"

	"mcp-workbench/domain"
)

// maxIdentities is the maximum number of identities that are counted separately. Authorization servers choose
// the names of subjects.
const maxIdentities = 1000

// CallerCalls counts the calls of one caller. Safe for concurrent use.
type CallerCalls struct {
	calls    *callCounts
	identity string
}

// CallsOf returns the counters of the page for the calls of an identity, "" for callers without one.
func (p *Page) CallsOf(identity string) CallerCalls { return CallerCalls{&p.calls, identity} }

// Observe implements ports.ActivityObserver. It counts calls of tools that exist, so that names which a caller
// made up do not become names of series.
func (c CallerCalls) Observe(activity domain.Activity) {
	if activity.Kind != domain.ActivityCall || activity.Unknown {
		return
	}
	server, tool := c.calls.find(activity.Tool)
	server.add(activity)
	if tool != nil {
		tool.add(activity)
	}
	if c.calls.isByIdentity {
		c.calls.findIdentity(c.identity).add(activity)
	}
}

// findIdentity returns the counters of an identity, or those of callers without one if there are too many
// identities.
func (c *callCounts) findIdentity(identity string) *toolCounts {
	c.mu.RLock()
	counted := c.byIdentity[identity]
	c.mu.RUnlock()
	if counted != nil {
		return counted
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byIdentity[identity] == nil && len(c.byIdentity) >= maxIdentities {
		identity = ""
	}
	return addTo(&c.byIdentity, identity)
}

// writeIdentities writes the calls and the sessions of each identity that made a call. Outcomes that no call had
// are left out.
func (c *callCounts) writeIdentities(text *exposition, sessions func(identity string) int) {
	c.mu.RLock()
	byIdentity := maps.Clone(c.byIdentity)
	c.mu.RUnlock()
	identities := slices.Sorted(maps.Keys(byIdentity))
	const calls, open = prefix + "identity_calls_total", prefix + "identity_sessions"
	text.head(calls, counter, "Calls of each identity, by how they ended. Calls without one, and those of identities beyond the limit, have an empty name.")
	for _, identity := range identities {
		for i, outcome := range outcomes {
			if number := byIdentity[identity].outcomes[i].Load(); number > 0 {
				text.number(calls, "identity="+quoted(identity)+",outcome="+quoted(string(outcome)), number)
			}
		}
	}
	text.head(open, gauge, "Sessions of each identity that made a call.")
	for _, identity := range identities {
		text.number(open, "identity="+quoted(identity), int64(sessions(identity)))
	}
}
