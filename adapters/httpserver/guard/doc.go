// Package guard decides where the workbench may listen, and which requests may come from
// where (tests/acceptance/CONTRACT.md section 16). It looks at addresses and headers only: a
// request that is refused is answered before a byte of its body is read.
//
// Decision: a listener that other machines can reach takes every Host unless hosts are
// listed. Rebinding a name to an address helps a web page only where nobody has to
// authenticate, and names of proxies and probes are many.
//
// Decision: a web page may call when its origin is this machine or listed, and then it is told
// so (CORS), since hosts run in browsers too. No origin is allowed by a pattern.
//
// http.CrossOriginProtection of the standard library compares Origin with Host. Under
// DNS rebinding both name the attacker's page, so it would let the request pass.
package guard
