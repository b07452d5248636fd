package application

import (
	"context"
	"slices"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// usualStart is the time every server has to start before an answer may come without it. Of
// 26 published servers, started at the same time on two processors, the last was up after
// 13 seconds.
const usualStart = 20 * time.Second

// serverStarts are the starts of the servers of a toolbox that is being opened. They decide
// how long the answer waits for each server.
//
// Each server is waited for until limits.openReply, counted from its start; if it has been
// starting for that long already, until limits.openGrace after the opening began. Once another
// server is up, the answer comes after limits.openGrace, but not before each server had the
// usual time to start, and not while one may still be downloaded. The answer does not wait for
// a server whose kept tools can be shown.
type serverStarts struct {
	begun   time.Time // when the opening began
	servers []*serverStart
	lastUp  time.Time // when the last server came up, zero before the first
	pending []*serverStart
}

// serverStart is the start of one server.
type serverStart struct {
	server   domain.Server
	reply    time.Duration     // from the start of the server until the answer is due
	starting *sessions.Attempt // nil when the server cannot be started, or is started when it is used
	kept     domain.ToolList   // the tools that it listed last
	isKept   bool              // kept can be shown while the server is starting

	settled    chan struct{} // closed when the fields below are set
	connection *sessions.Connection
	err        error // connection and err are nil if kept is shown
}

// settle ends the wait for a server, with its connection or its failure.
func (s *serverStart) settle(connection *sessions.Connection, err error) {
	s.connection, s.err = connection, err
	close(s.settled)
}

// await settles every server: when it is up or failed, when its time is over, or when the
// context ends. It is called once.
func (s *serverStarts) await(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan *serverStart)
	for _, server := range s.servers {
		if server.starting != nil && !server.isKept {
			s.pending = append(s.pending, server)
			go server.report(ctx, ended)
		}
	}
	for len(s.pending) > 0 {
		timer := time.NewTimer(time.Until(s.nextDecision()))
		select {
		case server := <-ended:
			s.take(server)
		case <-timer.C:
			s.giveUp(time.Now())
		case <-ctx.Done():
			for _, server := range s.pending {
				server.settle(nil, ctx.Err())
			}
			s.pending = nil
		}
		timer.Stop()
	}
	for _, server := range s.servers {
		if server.isKept {
			server.settleNow(nil)
		}
	}
}

// report sends the server once its attempt has ended.
func (s *serverStart) report(ctx context.Context, ended chan<- *serverStart) {
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

// take settles a server whose attempt has ended, unless it was given up before.
func (s *serverStarts) take(server *serverStart) {
	i := slices.Index(s.pending, server)
	if i < 0 {
		return
	}
	s.pending = slices.Delete(s.pending, i, i+1)
	connection, err := server.starting.Outcome()
	if err == nil {
		s.lastUp = time.Now()
	}
	server.settle(connection, err)
}

// giveUp settles the servers whose time is over.
func (s *serverStarts) giveUp(now time.Time) {
	if due := s.answerDue(); !now.Before(due) {
		for _, server := range s.pending {
			server.giveUp(due)
		}
		s.pending = nil
		return
	}
	s.pending = slices.DeleteFunc(s.pending, func(server *serverStart) bool {
		due := s.latest(server)
		if now.Before(due) {
			return false
		}
		server.giveUp(due)
		return true
	})
}

// giveUp settles a server whose time is over.
func (s *serverStart) giveUp(due time.Time) {
	s.settleNow(s.starting.Overdue(due.Sub(s.starting.Since())))
}

// settleNow settles a server with the outcome of its attempt if that has ended, otherwise
// with the failure.
func (s *serverStart) settleNow(failure error) {
	select {
	case <-s.starting.Ended():
		s.settle(s.starting.Outcome())
	default:
		s.settle(nil, failure)
	}
}

// nextDecision returns when the next server is given up if none comes up before.
func (s *serverStarts) nextDecision() time.Time {
	next := s.answerDue()
	for _, server := range s.pending {
		next = earlier(next, s.latest(server))
	}
	return next
}

// answerDue returns the time after which the answer waits for no server.
func (s *serverStarts) answerDue() time.Time {
	var due time.Time
	for _, server := range s.pending {
		due = later(due, s.due(server))
	}
	return due
}

// due returns the time until which the answer waits for a server.
func (s *serverStarts) due(server *serverStart) time.Time {
	latest := s.latest(server)
	if s.lastUp.IsZero() || server.starting.MayDownload() {
		return latest
	}
	return earlier(latest, later(s.lastUp.Add(server.server.Limits.OpenGrace), server.starting.Since().Add(usualStart)))
}

// latest returns the time when a server is given up in any case.
func (s *serverStarts) latest(server *serverStart) time.Time {
	again := s.begun.Add(min(server.server.Limits.OpenGrace, server.reply))
	return later(server.starting.Since().Add(server.reply), again)
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
