// Package hostfiles knows the files in which hosts keep their MCP servers: where they
// are, which servers are in them, what an entry of the workbench looks like there, and
// how to write one without touching anything else.
//
// Start at [Hosts] for what is known of each host, at [Read] for the servers in a file,
// at [Connections] for writing the workbench into one and taking it out again, and at
// [Masked] for showing a text. [Connections.Apply] is the only function that writes.
//
// Forms and places are from the hosts' own documentation (named in hosts.go), tried
// with the programs themselves where they run without an account.
package hostfiles
