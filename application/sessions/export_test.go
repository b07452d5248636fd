package sessions

import (
	"errors"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Recovery exports recovery for specs.
type Recovery struct{ recovery recovery }

// Failed exports failed.
func (r *Recovery) Failed(now time.Time, chance float64) {
	r.recovery.failed(now, errors.New("no such program"), chance)
}

// Ended exports ended.
func (r *Recovery) Ended(uptime time.Duration) { r.recovery.ended(uptime) }

// Refusal exports refusal.
func (r *Recovery) Refusal(now time.Time) error { return r.recovery.refusal(now) }

// Pause returns the time until the next attempt is allowed.
func (r *Recovery) Pause(now time.Time) time.Duration { return max(0, r.recovery.next.Sub(now)) }

// Idleness exports idleness for specs.
type Idleness struct{ *idleness }

// NewIdleness returns an idleness that was started.
func NewIdleness(limit time.Duration, expire func()) Idleness {
	i := newIdleness(limit)
	i.start(expire)
	return Idleness{i}
}

// Enter exports enter.
func (i Idleness) Enter() bool { return i.enter() }

// Leave exports leave.
func (i Idleness) Leave() { i.leave() }

// Hold exports hold.
func (i Idleness) Hold(name string, limit time.Duration) { i.hold(name, limit) }

// Held returns the number of holds.
func (i Idleness) Held() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.held)
}

// Release exports release.
func (i Idleness) Release(name string) { i.release(name) }

// Stop exports stop.
func (i Idleness) Stop() { i.stop() }

// Lifetime exports lifetime for specs.
type Lifetime struct{ life *lifetime }

// NewLifetime exports newLifetime.
func NewLifetime(session ports.Session) Lifetime { return Lifetime{newLifetime(session)} }

// EndIdle ends the session as idle.
func (l Lifetime) EndIdle() bool { return l.life.end(endIdle, nil) }

// EndHung ends the session since its server hangs.
func (l Lifetime) EndHung(reason error) bool { return l.life.end(endHung, reason) }

// IsOver exports isOver.
func (l Lifetime) IsOver() bool { return l.life.isOver() }

// Failure exports failure.
func (l Lifetime) Failure() (why error, failed bool) { return l.life.failure() }

// SubscriptionsAt exports subscriptionsAt.
func (o *Ownership) SubscriptionsAt(id domain.ServerID) []string { return o.subscriptionsAt(id) }

// RemoveServer exports removeServer.
func (o *Ownership) RemoveServer(id domain.ServerID) { o.removeServer(id) }

// Notices exports notices for specs.
type Notices struct{ *notices }

// NewNotices exports newNotices.
func NewNotices(deliver func(ports.Notification)) Notices { return Notices{newNotices(deliver)} }

// Take exports take.
func (n Notices) Take(kind ports.NotificationKind, params string) bool {
	return n.take(ports.Notification{Kind: kind, Params: []byte(params), Subject: rawjson.Text(rawjson.Member([]byte(params), "uri"))})
}

// RelistPace exports relistPace for specs.
type RelistPace struct{ pace relistPace }

// Next exports next.
func (p *RelistPace) Next(sinceLast time.Duration) time.Duration { return p.pace.next(sinceLast) }

// Close is close.
func (o *Ownership) Close() { o.close() }
