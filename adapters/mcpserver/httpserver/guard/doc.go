// Package guard decides where the workbench can listen and where requests can come from
// (tests/acceptance/CONTRACT.md section 16), and refuses and logs the others. It looks at
// addresses and headers only: a refusal is sent before a byte of the body is read.
//
// Decision: a listener that other machines can reach accepts every Host unless hosts are
// listed. Rebinding a name to an address helps a web page only without authentication, and
// proxies and probes use many names.
//
// Decision: a web page can call when its origin is this machine or listed, and then it is told
// so (CORS), since hosts run in browsers too. No origin is allowed by a pattern.
//
// http.CrossOriginProtection of the standard library compares Origin with Host. Under
// DNS rebinding both name the attacker's page, so it would let the request pass.
package guard
