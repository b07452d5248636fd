package application

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// refusal says why no attempt may be made now, "" if one may. The lock is held.
func (s *Sessions) refusal(id domain.ServerID, last *attempt) string {
	if last != nil {
		s.count(id, last)
	}
	if recovery := s.recoveries[id]; recovery != nil {
		return recovery.refusal(time.Now())
	}
	return ""
}

// settle counts an attempt that failed or whose session ended.
func (s *Sessions) settle(id domain.ServerID, ended *attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(id, ended)
}

// count is settle with the lock held.
func (s *Sessions) count(id domain.ServerID, ended *attempt) {
	if ended.settled || ended.dismissed || s.ending || errors.Is(ended.err, domain.ErrShuttingDown) {
		return
	}
	ended.settled = true
	recovery := s.recoveryOf(id)
	now := time.Now()
	if ended.err != nil {
		if lost := s.known[id]; lost != nil {
			lost.unreachable = true
		}
		recovery.failed(now, domain.Reason(ended.err), rand.Float64())
		return
	}
	recovery.ended(now.Sub(ended.up))
	if why := ended.connection.whyLost(); why != "" {
		recovery.failed(now, why, rand.Float64())
		recovery.lost = why
	}
}

// recoveryOf returns what is known about the failures of a server. The lock is
// held.
func (s *Sessions) recoveryOf(id domain.ServerID) *recovery {
	if s.recoveries[id] == nil {
		s.recoveries[id] = &recovery{}
	}
	return s.recoveries[id]
}

// awaitPrevious waits until nothing is left of the attempt before this one: the
// next process of a server must not meet the last one.
func (s *Sessions) awaitPrevious(ctx context.Context, begun *attempt) error {
	s.mu.Lock()
	previous := begun.previous
	s.mu.Unlock()
	if previous == nil {
		return nil
	}
	select {
	case <-previous.closed:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	begun.previous = nil
	s.mu.Unlock()
	return nil
}

// show makes a connection the one that calls use. It returns why the one that it
// replaces was lost, "" if it replaces none that was. If the toolbox was closed
// meanwhile, the connection is of no use.
func (s *Sessions) show(begun *attempt, connection *Connection) (lost string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if begun.dismissed {
		connection.dismiss()
		return ""
	}
	connection.shown.Store(true)
	s.known[connection.server.ID] = connection
	if recovery := s.recoveries[connection.server.ID]; recovery != nil {
		lost, recovery.lost = recovery.lost, ""
	}
	if lost != "" {
		connection.restarted.Store(&domain.Warning{Kind: domain.ServerRestarted, Detail: lost})
	}
	return lost
}

// tellRestart tells the host that a server was restarted: what it had in memory is
// gone.
func (s *Sessions) tellRestart(id domain.ServerID, lost string) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", lost)
	s.host.Notify(id, ports.Message{Method: domain.MethodNotificationMessage, Params: restartMessage(id, lost)})
}

// restartMessage is a log message about a server that was restarted.
func restartMessage(id domain.ServerID, why string) json.RawMessage {
	text := fmt.Sprintf("Server '%s' of toolbox '%s' was restarted, and what it had in memory is gone: %s", id.Server, id.Toolbox, why)
	quoted, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage(`{"level":"warning","data":"A server was restarted"}`) // text can always be quoted
	}
	return json.RawMessage(`{"level":"warning","data":` + string(quoted) + `}`)
}
