// Package tokens decides which callers are let in: by configured tokens, and by a verifier of other
// bearer tokens (tests/acceptance/CONTRACT.md section 16, RFC 6750).
//
// A token is read from the Authorization header only: addresses end up in logs. Only a digest of
// each configured token is kept, and every request is compared with all of them.
//
// Decision: a token with another value or other toolboxes is another identity, so that sessions and
// calls that began with the old one end immediately.
//
// Decision: what was protected stays protected. When the last token is removed while the program
// runs, every request is refused.
package tokens
