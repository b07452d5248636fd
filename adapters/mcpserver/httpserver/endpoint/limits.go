package endpoint

import (
	"cmp"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/mcpserver/httpserver"
)

const (
	// maxSessions is the default maximum number of hosts.
	maxSessions = 64
	// maxSessionsOfOne is the default maximum for one identity, unless a quarter of all sessions
	// is more.
	maxSessionsOfOne = 16
)

// Limits returns the limits of hosts over HTTP. Limits that the configuration does not set have
// defaults.
func Limits(configuration *config.Configuration) httpserver.Limits {
	sessions := cmp.Or(configuration.HTTP.MaxSessions, maxSessions)
	return httpserver.Limits{
		Sessions: sessions, SessionsPerIdentity: cmp.Or(configuration.HTTP.MaxSessionsPerIdentity, max(maxSessionsOfOne, sessions/4)),
		MessageSize: configuration.Limits.MessageSize,
		Arriving:    configuration.Limits.Arriving, UnderWay: configuration.Limits.UnderWay, Sending: configuration.Limits.Sending,
	}
}
