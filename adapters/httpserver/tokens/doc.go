// Package tokens decides who may call: by tokens that are configured, and by whatever else
// judges bearer tokens (tests/acceptance/CONTRACT.md section 16, RFC 6750).
//
// A token is taken from the Authorization header only: addresses end up in logs. Of each
// configured token only a digest is kept, and every request is compared with all of them.
//
// Decision: a token with another value or other toolboxes is another identity, so that what
// was begun with the old one ends at once, by whoever it was begun.
//
// Decision: what was protected stays so. When the last token is taken away while the program
// runs, nobody gets in.
package tokens
