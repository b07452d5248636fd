package mcpclient

import (
	"context"
	"time"
)

// pending is a request that waits for its answer.
type pending struct {
	method string
	reply  Reply
	// deadline is when its limit runs out, zero for never.
	deadline time.Time
	// forget ends the watch on the request's context.
	forget func() bool
}

func (p *pending) end(answer Answer, err error) {
	p.forget()
	p.reply(answer, err)
}

// afterEnd is context.AfterFunc, without its cost for contexts that can do it
// themselves (which that function looks for too, behind a context of its own).
func afterEnd(ctx context.Context, f func()) (stop func() bool) {
	if own, ok := ctx.(interface{ AfterFunc(func()) func() bool }); ok {
		return own.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}

// alarm rings at the earliest of the times it was set to. One for all requests of
// a stream costs next to nothing a request; a timer for each would wake threads
// of the scheduler each time. It belongs to whoever holds the stream's lock.
type alarm struct {
	timer *time.Timer
	at    time.Time // zero when it is not set
}

// set makes the alarm ring by calling ring, at the given time or before.
func (a *alarm) set(at time.Time, ring func()) {
	if !a.at.IsZero() && !at.Before(a.at) {
		return
	}
	a.at = at
	if a.timer == nil {
		a.timer = time.AfterFunc(time.Until(at), ring)
		return
	}
	a.timer.Reset(time.Until(at))
}

// rang notes that the alarm rang.
func (a *alarm) rang() { a.at = time.Time{} }

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
