package application

import (
	"context"
	"sync"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// listWait is how long a listing waits for a server that does not answer.
const listWait = 2 * time.Second

// slowLists ask servers for lists of one kind. A server that does not answer delays the lists of the others for at most
// listWait, once: later listings do not wait for it until it answers in time. Safe for concurrent use; the zero value is
// ready.
type slowLists struct {
	mu    sync.Mutex
	lists map[domain.ServerID]slowList // of servers that are asked, or were slow
}

// slowList is the state of one server.
type slowList struct {
	connection *sessions.Connection
	asked      int       // calls that are not answered
	since      time.Time // when the first of them began
	isSlow     bool
}

// ask calls list for connections at the same time, and returns when the servers answered that are waited for. isLate tells a
// call whether its answer comes after that. A call that is waited for ends with the context, others do not.
func (s *slowLists) ask(ctx context.Context, connections []*sessions.Connection, list func(ctx context.Context, connection *sessions.Connection, isLate func() bool) error) {
	returned := make(chan struct{})
	isLate := func() bool {
		select {
		case <-returned:
			return true
		default:
			return false
		}
	}
	var waiting sync.WaitGroup
	for _, connection := range connections {
		state, begun := s.begin(connection)
		if !begun {
			continue
		}
		asking, cancel := context.WithCancel(context.WithoutCancel(ctx))
		detach := func() bool { return true }
		if !state.isSlow {
			detach = context.AfterFunc(ctx, func() {
				if !isLate() {
					cancel()
				}
			})
			waiting.Add(1)
		}
		go func() {
			defer cancel()
			defer detach()
			begin := time.Now()
			err := list(asking, connection, isLate)
			s.end(connection, time.Since(begin) > listWait || err != nil && state.isSlow)
			if !state.isSlow {
				waiting.Done()
			}
		}()
	}
	answered := make(chan struct{})
	go func() {
		waiting.Wait()
		close(answered)
	}()
	timer := time.NewTimer(listWait)
	defer timer.Stop()
	select {
	case <-answered:
	case <-ctx.Done():
		<-answered // cancelled
	case <-timer.C:
	}
	close(returned)
}

// begin notes that a server is asked, and returns its state before. It returns false if the server already owes an answer
// that is late. One that is not late yet belongs to another listing, which this one must not depend on.
func (s *slowLists) begin(connection *sessions.Connection) (before slowList, begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	before = s.lists[connection.Server.ID]
	if before.connection != connection {
		before = slowList{connection: connection}
	}
	if before.asked == 0 {
		before.since = now
	} else if before.isSlow || now.Sub(before.since) >= listWait {
		return before, false
	}
	if s.lists == nil {
		s.lists = map[domain.ServerID]slowList{}
	}
	s.lists[connection.Server.ID] = slowList{connection, before.asked + 1, before.since, before.isSlow}
	return before, true
}

// end notes that a server was asked, and whether it was slow.
func (s *slowLists) end(connection *sessions.Connection, isSlow bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.lists[connection.Server.ID]
	if list.connection != connection {
		return // another one is asked since
	}
	list.asked--
	list.isSlow = isSlow
	s.lists[connection.Server.ID] = list
	if list.asked == 0 && !isSlow {
		delete(s.lists, connection.Server.ID)
	}
}
