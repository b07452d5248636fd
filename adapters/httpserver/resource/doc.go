// Package resource makes the workbench an OAuth 2.0 protected resource: it judges access
// tokens that an authorization server made for it, and says where to get one (RFC 9728, RFC
// 9068, and "Authorization" of the MCP specification). It gives out no tokens, and a token of
// a host goes nowhere.
//
// Decision: go-jose reads and verifies tokens, and the keys are kept here. The key set of go-oidc
// asks the issuer for every token with an unknown key, keeps keys for good that the issuer
// withdrew, and finds issuers of OpenID Connect only.
//
// Decision: "resource" has to be configured. A token for somebody else is told by it, and
// behind a proxy nobody here knows the address that hosts call.
//
// Decision: tokens are JWTs. Opaque tokens would need a request to the issuer for each call, with a
// secret of our own.
//
// Decision: a token is judged at the start of each request, and a call that is under way when
// it expires goes on. A stream on which a host listens ends then, since it would not otherwise:
// the host opens it again with the next token, and is told what came meanwhile.
package resource
