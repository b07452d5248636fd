// Package activity tells observers what happens between a host and its servers: calls of tools and openings
// of toolboxes. Starts and ends of servers are told by package sessions.
//
// Decision: it stands around the use cases and not in them. A workbench that records nothing has none of it
// on the path of a call.
package activity
