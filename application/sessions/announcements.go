package sessions

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ReportPrompts tells the host that the prompts of a server came or went. Reports of a
// connected server about its prompts are passed on to the host anyway.
func (s *Sessions) ReportPrompts(server domain.ServerID) {
	s.host.Notify(server, ports.Notification{Kind: ports.PromptsChanged})
}

// ReportResources tells the host that the resources of a server came or went, if the server has
// any.
func (s *Sessions) ReportResources(connection *Connection) {
	if connection.Session.Declares("resources") {
		s.host.Notify(connection.Server.ID, ports.Notification{Kind: ports.ResourcesChanged})
	}
}

// hadPrompts reports whether the server had prompts when it was last connected to.
func (s *Sessions) hadPrompts(id domain.ServerID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	return state != nil && state.hasPrompts
}

// TakeNews returns what happened to a server since an opening was told last: why it could not be started after it was
// shown, and, for one that is up, why it was restarted.
func (s *Sessions) TakeNews(id domain.ServerID, isUp bool) (news []domain.Warning) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	if state == nil {
		return nil
	}
	if state.failed != nil {
		news = append(news, domain.Warning{Kind: domain.StartFailed, Reason: state.failed})
		state.failed = nil
	}
	if isUp && state.restarted != nil {
		news = append(news, domain.Warning{Kind: domain.ServerRestarted, Reason: state.restarted})
		state.restarted = nil
	}
	return news
}

// reportRestart tells the host that a server was restarted and lost what it had in
// memory.
func (s *Sessions) reportRestart(id domain.ServerID, lost error) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", domain.Reason(lost))
	if watcher, ok := s.host.(ports.RestartWatcher); ok {
		watcher.Restarted(id, lost)
	}
}
