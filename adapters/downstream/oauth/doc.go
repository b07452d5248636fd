// Package oauth logs in at the authorization servers of remote servers, as MCP requires of
// clients in 2025-11-25 and 2026-07-28 ("Authorization"). It reads challenges, finds metadata,
// registers the client, makes authorization requests, checks their responses, and gets, refreshes
// and revokes tokens. Package logins stores the results for all workbenches on the machine.
//
// Package web asks an Authorizer for the token of each request and passes it each refusal. The
// login of the user goes through Begin and Complete.
//
// Decision: golang.org/x/oauth2 builds the authorization request. The forms for tokens are our own, since with a
// refresh that library sends neither resource nor scope and does not say whether a token was used up, and tokens
// are read in one way.
//
// Decision: package oauthex of github.com/modelcontextprotocol/go-sdk v1.8.0 is not linked.
// It passes the conformance suite, but would need the same code around it: it compares issuers
// without a final slash, where RFC 8414 requires them to be identical; it accepts any PKCE method
// as S256; it requires the resource of the metadata to be the server's URL byte by byte, so
// servers that name their origin fail; it refuses a whole header for one challenge that it cannot
// read; it does not distinguish the private addresses that a private server may name from those
// that a public server must not; it does not store its registration. Revisit if it compares as the
// RFCs do.
//
// Not done: enterprise-managed authorization (SEP-990), DPoP (SEP-1932) and workload identity
// federation (SEP-1933), which hardly any server asks for yet, and the device flow
// (RFC 8628), which MCP does not have. The jwt-bearer grant serves a workload identity whose
// token is in a file.
package oauth
