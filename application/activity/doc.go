// Package activity tells observers what happens between a host and its servers: calls of tools and openings
// of toolboxes. Package sessions reports starts and ends of servers.
//
// Decision: the use cases tell one list of observers, so that a call takes the time once and its reply is wrapped
// once. Without observers nothing is wrapped.
package activity
