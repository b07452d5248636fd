// Package hostfiles reads and edits the files in which hosts keep their MCP servers: where they
// are, which servers are in them, and how to write an entry of the workbench without changing
// anything else. settings.go, oauth.go and variables.go translate the servers of hosts.
//
// Start at [Hosts] for what is known about each host, at [Read] for the servers in a file, at
// [Connections] for adding the workbench to one and removing it, and at [Masked] for showing a
// text. [Connections.Apply] is the only function that writes.
//
// Forms and places are from the hosts' own documentation (named in table.go), and were tried
// with those programs that run without an account.
package hostfiles
