// Package pinnedstart starts servers at the versions of their packages that the lock pins. Without
// it, launchers such as npx fetch the newest version. It is between the sessions and the
// transports; neither knows of it.
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
package pinnedstart
