// Package doctor finds what goes wrong in practice: in the configuration, in the files and
// variables around it, in the files of hosts, and at servers that are started to be examined.
// Each Finding has a code that never changes, what was found, and how to fix it.
//
// Start with Doctor. The table checks lists what is examined without starting a server, in the
// order of the report; servers.go examines servers that were started.
package doctor
