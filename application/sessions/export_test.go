package sessions

import (
	"errors"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Recovery is recovery, for specs of its own.
type Recovery struct{ recovery recovery }

// Failed is failed.
func (r *Recovery) Failed(now time.Time, chance float64) {
	r.recovery.failed(now, errors.New("no such program"), chance)
}

// Ended is ended.
func (r *Recovery) Ended(uptime time.Duration) { r.recovery.ended(uptime) }

// Refusal is refusal.
func (r *Recovery) Refusal(now time.Time) error { return r.recovery.refusal(now) }

// Pause returns how long the server is not tried.
func (r *Recovery) Pause(now time.Time) time.Duration { return max(0, r.recovery.next.Sub(now)) }

// Idleness is idleness, for specs of its own.
type Idleness struct{ *idleness }

// NewIdleness is newIdleness, started.
func NewIdleness(limit time.Duration, expire func()) Idleness {
	i := newIdleness(limit)
	i.start(expire)
	return Idleness{i}
}

// Enter is enter.
func (i Idleness) Enter() bool { return i.enter() }

// Leave is leave.
func (i Idleness) Leave() { i.leave() }

// Hold is hold.
func (i Idleness) Hold(what string) { i.hold(what) }

// Release is release.
func (i Idleness) Release(what string) { i.release(what) }

// Stop is stop.
func (i Idleness) Stop() { i.stop() }

// Lifetime is lifetime, for specs of its own.
type Lifetime struct{ life *lifetime }

// NewLifetime is newLifetime.
func NewLifetime(session ports.Session) Lifetime { return Lifetime{newLifetime(session)} }

// EndIdle ends the session as idle.
func (l Lifetime) EndIdle() bool { return l.life.end(endIdle, nil) }

// EndHung ends the session since its server hangs.
func (l Lifetime) EndHung(reason error) bool { return l.life.end(endHung, reason) }

// IsOver is isOver.
func (l Lifetime) IsOver() bool { return l.life.isOver() }

// Failure is failure.
func (l Lifetime) Failure() (why error, failed bool) { return l.life.failure() }

// Of is subscriptionsAt.
func (o *Ownership) Of(id domain.ServerID) []string { return o.subscriptionsAt(id) }

// RemoveServer is removeServer.
func (o *Ownership) RemoveServer(id domain.ServerID) { o.removeServer(id) }

// Notices is notices, for specs of its own.
type Notices struct{ *notices }

// NewNotices is newNotices.
func NewNotices(deliver func(ports.Message)) Notices { return Notices{newNotices(deliver)} }

// Take is take.
func (n Notices) Take(method, params string) bool {
	return n.take(ports.Message{Method: method, Params: []byte(params)})
}

// RelistPace is relistPace, for specs of its own.
type RelistPace struct{ pace relistPace }

// Next is next.
func (p *RelistPace) Next(sinceLast time.Duration) time.Duration { return p.pace.next(sinceLast) }
