// Package interactive lets people log in while the workbench runs. Start with Logins, which implements
// ports.Logins: it begins a login, listens for the answer of the authorization server, and serves a
// short link to it, for at most 10 minutes. It opens no browser.
//
// A login belongs to all copies of the workbench: its record has the pending request. A copy that finds
// a pending request whose link is served shows that link, and takes the login over when the process that
// serves it has ended: it serves the same link and awaits the answer at the same port. While a login is
// pending, every copy reads the record once a second, so that it notices a login made elsewhere.
package interactive
