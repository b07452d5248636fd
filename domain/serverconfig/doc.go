// Package serverconfig is a server as a configuration writes it: its settings, which of them
// mean the same server, what in them looks like a secret, and what may be shown of them.
package serverconfig
