// Package packages starts servers at the versions of their packages that the lock pins,
// where launchers such as npx would fetch whatever is newest. It is between the sessions
// and the transports: neither knows of it.
//
// Decision: a package that is not installed yet is installed by the first attempt to
// connect to its server, within limits.connect like everything else of an attempt. What was
// downloaded until then stays in the cache of npm, so the next attempt is shorter.
//
// Decision: a pin that cannot be used, since the configuration requests something else or
// the lock file of the package is not the one that was locked, is as if it was not there:
// the server starts as it is configured and its tools come with a warning, unless the
// policies refuse that. An installation that fails is refused whatever the policies say:
// the registry may have other bytes under the same version, and the launcher would run
// them.
package packages
