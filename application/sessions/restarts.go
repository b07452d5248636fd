package sessions

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/reasons"
	"mcp-workbench/ports"
)

// TakeRestart returns why the server was restarted since the last call, "" if it was
// not.
func (s *Sessions) TakeRestart(id domain.ServerID) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state := s.servers[id]; state != nil {
		why, state.restarted = state.restarted, ""
	}
	return why
}

// reportRestart tells the host that a server was restarted: what it had in memory is
// gone.
func (s *Sessions) reportRestart(id domain.ServerID, lost string) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", lost)
	s.host.Notify(id, ports.Message{Method: domain.MethodNotificationMessage, Params: restartMessage(id, lost)})
}

// restartMessage returns the parameters of a log message about a restarted server.
func restartMessage(id domain.ServerID, why string) json.RawMessage {
	return json.RawMessage(`{"level":"warning","data":` + quote(reasons.Restarted(id, why)) + `}`)
}

// quote returns text as a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // cannot happen: every string has a JSON form
	}
	return string(quoted)
}
