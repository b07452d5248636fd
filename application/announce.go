package application

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Announcer is the use case of what a host says to all servers.
type Announcer struct{ sessions *Sessions }

// NewAnnouncer returns the use case over the sessions that there are.
func NewAnnouncer(sessions *Sessions) *Announcer { return &Announcer{sessions: sessions} }

// AnnounceRootsChanged implements ports.Announcer.
func (a *Announcer) AnnounceRootsChanged() {
	for _, connection := range a.sessions.live() {
		connection.Session.Notify(ports.Message{Method: domain.MethodNotificationRootsListChanged})
	}
}

// SetLogLevel implements ports.Announcer.
func (a *Announcer) SetLogLevel(level string) {
	a.sessions.mu.Lock()
	a.sessions.logLevel = level
	a.sessions.mu.Unlock()
	for _, connection := range a.sessions.live() {
		connection.Session.SetLogLevel(level)
	}
}
