// Package resource makes the workbench an OAuth 2.0 protected resource: it verifies access
// tokens that an authorization server issued for it, and says where to get one (RFC 9728, RFC
// 9068, and "Authorization" of the MCP specification). It issues no tokens and sends no token
// anywhere.
//
// Decision: go-jose parses and verifies tokens, and the keys are kept here. The key set of go-oidc
// asks the issuer for every token with an unknown key, never drops keys that the issuer withdrew,
// and finds issuers of OpenID Connect only.
//
// Decision: "resource" must be configured. It distinguishes tokens for other resources, and behind
// a proxy the workbench does not know the address that hosts call.
//
// Decision: a JWT is verified here, without asking the issuer. The issuer validates any other
// token (RFC 7662), only if that is configured, since it needs a secret of the workbench's own. A
// revoked token is accepted until the answer about it is [introspectionTime] old.
//
// Decision: a token is verified at the start of each request, and a call that is under way when it
// expires continues. A stream on which a host listens ends then, since it would never end
// otherwise: the host opens it again with the next token and gets the messages it missed.
package resource
