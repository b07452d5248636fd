// Package secrets gives servers, when they start, the values that commands print
// (tests/acceptance/CONTRACT.md section 23).
//
// A command runs when the first server needs its value, once for all servers of the process. It runs again
// after it failed, and after a server refused a login with its value. Until a server starts, its settings
// have placeholders, so that servers are compared without their secrets.
package secrets
