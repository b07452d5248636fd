// Package login leads people through logins at servers. At a terminal, start with Target: it opens the browser of
// this machine, or takes the address on which another machine's browser ends, and it logs out. While the workbench
// serves hosts, start with Logins, which implements ports.Logins: it serves a short link to the page, and opens no
// browser. Both wait at a port of this machine for at most 10 minutes, and accept one GET of one path with the right
// state. Show lists the logins on this machine.
//
// A login that began while the workbench serves hosts belongs to all copies of the workbench: its record has the
// pending request. A copy that finds a pending request whose link is served shows that link, and takes the login over
// when the process that serves it has ended: it serves the same link and awaits the answer at the same port. While a
// login is pending, every copy reads the record once a second, so that it notices a login made elsewhere.
package login
