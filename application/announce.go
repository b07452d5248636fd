package application

import (
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Announcer is the use case of passing notifications of a host on to all servers.
type Announcer struct{ sessions *sessions.Sessions }

// NewAnnouncer returns the use case over the sessions of a host.
func NewAnnouncer(sessions *sessions.Sessions) *Announcer { return &Announcer{sessions: sessions} }

// AnnounceRootsChanged implements ports.Announcer.
func (a *Announcer) AnnounceRootsChanged() {
	a.sessions.Notify(ports.Message{Method: domain.MethodNotificationRootsListChanged})
}

// SetLogLevel implements ports.Announcer.
func (a *Announcer) SetLogLevel(level string) { a.sessions.SetLogLevel(level) }
