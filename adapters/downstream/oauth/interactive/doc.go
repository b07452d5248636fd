// Package interactive has people log in while the workbench runs. Start with Logins, which
// implements ports.Logins: it begins a login, listens for the answer of the authorization
// server, and serves a short link that leads there, for at most 10 minutes. It opens no
// browser.
//
// A login belongs to all copies of the workbench: what waits for a person is in its
// record. A copy that finds a login there whose link is served shows the same link. Every copy
// looks at the record once a second while somebody waits, so that it notices a login wherever
// it was made.
package interactive
