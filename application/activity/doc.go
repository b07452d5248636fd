// Package activity tells observers what happens between a host and its servers: calls of tools and openings
// of toolboxes. Package sessions reports starts and ends of servers.
//
// Decision: it wraps the use cases and is not part of them. In a workbench without observers, calls do not
// pass through it.
package activity
