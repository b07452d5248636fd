// Package callers decides which requests over HTTP are let in (tests/acceptance/CONTRACT.md section 16). A [Guard] checks
// where a request comes from. A [Gate] checks its caller, by configured tokens (RFC 6750) and by a [Resource], which
// verifies tokens of an authorization server. They refuse a request before a byte of its body is read, and put the
// [Access] of its caller into its context, where the packages that answer requests read it.
//
// Decision: a listener that other machines can reach accepts every Host unless hosts are
// listed. Rebinding a name to an address helps a web page only without authentication, and
// proxies and probes use many names.
//
// Decision: a web page can call when its origin is this machine or listed, and then it is told
// so (CORS), since hosts run in browsers too. No origin is allowed by a pattern.
// http.CrossOriginProtection of the standard library compares Origin with Host. Under
// DNS rebinding both name the attacker's page, so it would let the request pass.
//
// Decision: a token is read from the Authorization header only: addresses end up in logs. Only a digest of
// each configured token is kept, and every request is compared with all of them.
//
// Decision: a token with another value or other toolboxes is another identity, so that sessions and
// calls that began with the old one end immediately.
//
// Decision: what was protected stays protected. When the last token is removed while the program
// runs, every request is refused.
package callers
