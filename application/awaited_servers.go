package application

import (
	"context"
	"slices"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// usualStart is how long a server may take to start before the answer comes without
// it. Of 26 published servers, started at the same time on two processors, the last was up
// after 13 seconds.
const usualStart = 20 * time.Second

// awaitedServers decide how long the answer of one opening waits for which server.
//
// Each server is waited for until limits.openReply, counted from its start; if
// somebody waited that long already, until limits.openGrace. Once another server is up,
// the answer comes after limits.openGrace, but not before each server had the usual
// time to start, and not while one may still be downloaded.
//
// They belong to one goroutine.
type awaitedServers struct {
	begun   time.Time // when the opening began
	lastUp  time.Time // when the last server came up, zero before the first
	pending []*awaitedServer
}

// awaitedServer is a server that is being connected to.
type awaitedServer struct {
	starting *sessions.Starting
	limits   domain.Limits
	// settle is called once: with the connection, or why there is none.
	settle func(*sessions.Connection, error)
}

// add adds a server before wait is called.
func (a *awaitedServers) add(starting *sessions.Starting, limits domain.Limits, settle func(*sessions.Connection, error)) {
	a.pending = append(a.pending, &awaitedServer{starting: starting, limits: limits, settle: settle})
}

// wait settles every server: when it is up or failed, when it is not waited for any
// longer, or when the context ends.
func (a *awaitedServers) wait(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan *awaitedServer)
	for _, server := range a.pending {
		go server.report(ctx, ended)
	}
	for len(a.pending) > 0 {
		timer := time.NewTimer(time.Until(a.nextDecision()))
		select {
		case server := <-ended:
			a.take(server)
		case <-timer.C:
			a.giveUp(time.Now())
		case <-ctx.Done():
			for _, server := range a.pending {
				server.settle(nil, ctx.Err())
			}
			a.pending = nil
		}
		timer.Stop()
	}
}

// report sends the server once its attempt has ended.
func (s *awaitedServer) report(ctx context.Context, ended chan<- *awaitedServer) {
	select {
	case <-s.starting.Ended():
	case <-ctx.Done():
		return
	}
	select {
	case ended <- s:
	case <-ctx.Done():
	}
}

// take settles a server whose attempt has ended. One that was given up already stays
// so.
func (a *awaitedServers) take(server *awaitedServer) {
	i := slices.Index(a.pending, server)
	if i < 0 {
		return
	}
	a.pending = slices.Delete(a.pending, i, i+1)
	connection, err := server.starting.Outcome()
	if err == nil {
		a.lastUp = time.Now()
	}
	server.settle(connection, err)
}

// giveUp settles the servers that are not waited for any longer.
func (a *awaitedServers) giveUp(now time.Time) {
	if due := a.answerDue(); !now.Before(due) {
		for _, server := range a.pending {
			server.giveUp(due)
		}
		a.pending = nil
		return
	}
	a.pending = slices.DeleteFunc(a.pending, func(s *awaitedServer) bool {
		due := a.latest(s)
		if now.Before(due) {
			return false
		}
		s.giveUp(due)
		return true
	})
}

// giveUp settles a server that nobody waits for any longer, unless its attempt ended
// just now.
func (s *awaitedServer) giveUp(due time.Time) {
	select {
	case <-s.starting.Ended():
		s.settle(s.starting.Outcome())
	default:
		s.settle(nil, s.starting.Overdue(due.Sub(s.starting.Since())))
	}
}

// nextDecision returns when a server is given up if none comes up before that.
func (a *awaitedServers) nextDecision() time.Time {
	next := a.answerDue()
	for _, server := range a.pending {
		next = earlier(next, a.latest(server))
	}
	return next
}

// answerDue returns when no server is worth waiting for any longer.
func (a *awaitedServers) answerDue() time.Time {
	var due time.Time
	for _, server := range a.pending {
		due = later(due, a.due(server))
	}
	return due
}

// due returns until when the answer waits for a server.
func (a *awaitedServers) due(s *awaitedServer) time.Time {
	latest := a.latest(s)
	if a.lastUp.IsZero() || s.starting.MayDownload() {
		return latest
	}
	return earlier(latest, later(a.lastUp.Add(s.limits.OpenGrace), s.starting.Since().Add(usualStart)))
}

// latest returns when the server is given up whatever it may be doing.
func (a *awaitedServers) latest(s *awaitedServer) time.Time {
	again := a.begun.Add(min(s.limits.OpenGrace, s.limits.OpenReply))
	return later(s.starting.Since().Add(s.limits.OpenReply), again)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
