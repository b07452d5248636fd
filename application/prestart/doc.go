// Package prestart prepares servers for their start: it puts the values that commands print into their
// settings (tests/acceptance/CONTRACT.md section 23), and replaces launchers such as npx by the package at the
// version that the lock pins (section 20). It is between the sessions and the transports; neither knows of it.
//
// A command runs when the first server needs its value, once for all servers of the process. It runs again
// after it failed, and after a server refused a login with its value. Until a server starts, its settings
// have placeholders, so that servers are compared without their secrets.
//
// Decision: the first attempt to connect to a server installs its package, within limits.connect
// like everything else in an attempt. Whatever was downloaded until then stays in npm's cache, so
// the next attempt is shorter.
//
// Decision: a pin that cannot be used, because the configuration requests something else or the
// lock file of the package is not the one that was locked, is ignored. The server starts as
// configured and its list of tools has a warning, unless the policies refuse that. A failed
// installation is refused under every policy: the registry may have other bytes under the same
// version, and the launcher would run them.
package prestart
