package mcpclient

import (
	"context"
	"time"
)

// pending is a request that waits for its answer.
type pending struct {
	method  string
	request Request
	reply   Reply
	begun   time.Time // zero when no limit is set
	// deadline is when a limit runs out, zero for never.
	deadline time.Time
	// forget ends the watch on the request's context; nil before there is one.
	forget func() bool
}

func (p *pending) end(answer Answer, err error) {
	if p.forget != nil {
		p.forget()
	}
	p.reply(answer, err)
}

// begin begins the time in which the server may be silent, anew or for the first
// time, within what the request may take in all.
func (p *pending) begin(now time.Time) {
	if p.request.Limit > 0 {
		p.deadline = now.Add(p.request.Limit)
	}
	if p.request.Longest > 0 {
		last := p.begun.Add(p.request.Longest)
		if p.deadline.IsZero() || p.deadline.After(last) {
			p.deadline = last
		}
	}
}

// limitError says which limit of the request ran out.
func (p *pending) limitError(now time.Time) *LimitError {
	waited := now.Sub(p.begun)
	return &LimitError{Waited: waited, InAll: p.request.Longest > 0 && waited >= p.request.Longest}
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
