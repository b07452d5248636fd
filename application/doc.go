// Package application holds the use cases, one small struct each, and the policy
// of sessions: when to connect, share, drop, restart and close. It knows ports
// and the domain, and neither processes nor protocols.
package application
