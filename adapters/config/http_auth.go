package config

import "mcp-workbench/domain/webaddress"

// auth reads which access tokens of an authorization server are accepted.
func (r httpReader) auth(n node) *Auth {
	auth := &Auth{}
	members, ok := r.object(n, settingKeys, `an object with "issuer" and "resource"`)
	if !ok {
		return auth
	}
	text := func(m member, wanted string, fits func(string) bool) string {
		written, ok := r.text(m.node, wanted)
		if !ok {
			return ""
		}
		result, unset := r.expanded(m.node, written)
		switch {
		case unset != nil && auth.Unset == nil:
			auth.Unset = unset
			r.warnUnset(m.node, unset, "nothing can be served over HTTP")
		case unset == nil && !fits(result.text):
			r.wrongValue(m.node, wanted)
		}
		return result.text
	}
	for _, field := range members {
		switch field.name {
		case issuerKey:
			auth.Issuer = text(field, "the https URL of an authorization server", webaddress.IsIssuer)
		case resourceKey:
			auth.Resource = text(field, "the URL that hosts call, for example https://mcp.example.com/mcp", webaddress.IsResource)
		case scopesKey:
			auth.Scopes = r.matching(field.node, "a scope: characters of ASCII without spaces, quotes and backslashes", webaddress.IsScope)
		default:
			r.unknownKey(field, authKeys)
		}
	}
	if !members.has(issuerKey) {
		r.wrong(n.absent(issuerKey), "nothing", "the URL of the authorization server")
	}
	if !members.has(resourceKey) {
		r.wrong(n.absent(resourceKey), "nothing", "the URL that hosts call, which tokens have to be for")
	}
	return auth
}
