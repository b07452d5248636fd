// Package secrets gives servers the values that commands print, when the servers start
// (tests/acceptance/CONTRACT.md section 23).
//
// A command runs when the first server needs its value, once for all servers of the process. It runs again
// after it failed, and after a server refused the login with its value. Until a server starts, placeholders
// stand in its settings, so that servers are compared without their secrets.
package secrets
